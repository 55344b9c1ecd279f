/** Shortens an address: enough to recognise one's own, too little to reveal it. */
export function shortAddress(address: string): string {
  if (address.includes(':')) return `${address.split(':').slice(0, 3).join(':')}:…`;
  return address.replace(/\.\d+$/, '.*');
}
