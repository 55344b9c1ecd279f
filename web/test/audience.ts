/** Whom a JWT is for. */
export function audienceOf(jwt: string): unknown {
  const [, payload = ''] = jwt.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).aud;
}
