import { sendRaw } from '../../../test-support/raw-http.ts';

export interface PipelinedPost {
  readonly path?: string;
  readonly address: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const statusesIn = (raw: string) =>
  Array.from(raw.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));

/** Sends all of them over one connection before the first answer; the statuses are in the same order. */
export async function pipeline(url: string, posts: readonly PipelinedPost[]): Promise<number[]> {
  const data = posts.map(({ path = '/api/login', address, body }) => {
    const json = JSON.stringify(body);
    return [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `X-Forwarded-For: ${address}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(json)}`,
      '',
      json,
    ].join('\r\n');
  });
  const { raw } = await sendRaw({
    port: Number(new URL(url).port),
    data: data.join(''),
    deadlineMs: 30_000,
    until: (received) => statusesIn(received).length === posts.length,
  });
  return statusesIn(raw);
}

export const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;
