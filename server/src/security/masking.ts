import { isIPv6 } from 'node:net';

/** Masks as `a***@example.com`, for operators who may not see full e-mail addresses. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? email && '***' : `${email.slice(0, 1)}***${email.slice(at)}`;
}

/** Masks as `203.0.113.*` and `2001:db8:*`. */
export function maskAddress(address: string): string {
  if (isIPv6(address)) return `${address.split(':').slice(0, 2).join(':')}:*`;
  const end = address.lastIndexOf('.');
  return end === -1 ? address && '*' : `${address.slice(0, end)}.*`;
}
