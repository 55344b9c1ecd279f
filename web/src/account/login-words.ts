import { describeDevice } from '../auth/device.ts';

/** What a user agent is to its owner: the browser and the system, without versions; empty where neither is known. */
export function agentWords(userAgent: string): string {
  const { browse, os } = describeDevice(userAgent);
  return [browse.replace(/ \d+$/, ''), os].filter(Boolean).join(' · ');
}

/** Enough of an address to recognise the own one, too little to show around. */
export function shortAddress(address: string): string {
  if (address.includes(':')) return `${address.split(':').slice(0, 3).join(':')}:…`;
  return address.replace(/\.\d+$/, '.*');
}
