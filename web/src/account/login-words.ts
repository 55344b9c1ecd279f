import { describeDevice } from '../auth/device.ts';

/** Describes a user agent by browser and system, without versions; empty if neither is known. */
export function agentWords(userAgent: string): string {
  const { browse, os } = describeDevice(userAgent);
  return [browse.replace(/ \d+$/, ''), os].filter(Boolean).join(' · ');
}

/** Shortens an address: enough to recognise one's own, too little to reveal it. */
export function shortAddress(address: string): string {
  if (address.includes(':')) return `${address.split(':').slice(0, 3).join(':')}:…`;
  return address.replace(/\.\d+$/, '.*');
}
