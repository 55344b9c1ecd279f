import { sendRaw } from '../../../test-support/raw-http.ts';
import { MAX_UNANSWERED } from '../../src/http/responses-in-turn.ts';

export interface PipelinedPost {
  readonly path?: string;
  readonly address: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const statusesIn = (raw: string) =>
  Array.from(raw.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));

/** Sends all over one connection, before the first answer. */
async function pipelineOnce(url: string, posts: readonly PipelinedPost[]): Promise<number[]> {
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

/**
 * Sends all of them before the first answer, over as many connections as needed, because unanswered requests per connection are
 * limited. Statuses are in the same order. The last connection is full, so the last request is pipelined behind others.
 */
export async function pipeline(url: string, posts: readonly PipelinedPost[]): Promise<number[]> {
  const chunks: (readonly PipelinedPost[])[] = [];
  for (let end = posts.length; end > 0; end -= MAX_UNANSWERED)
    chunks.unshift(posts.slice(Math.max(0, end - MAX_UNANSWERED), end));
  const statuses = await Promise.all(chunks.map((chunk) => pipelineOnce(url, chunk)));
  return statuses.flat();
}

export const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;
