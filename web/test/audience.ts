export function audienceOf(jwt: unknown): unknown {
  const [, payload = ''] = String(jwt).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).aud;
}
