import { Agent, request } from 'node:http';
import { Problem } from '@gatehouse/contract';
import { Check } from 'typebox/value';

export interface RequestOptions {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the answer is a problem as defined by the contract. */
  readonly isUniform: boolean;
}

export interface Client {
  /** Returns undefined if no complete answer arrived in time. */
  send(request: RequestOptions): Promise<Answer | undefined>;
  close(): void;
}

const TIMEOUT_MS = 10_000;
const ADDRESSES = 40;

/** Sends from many addresses in rotation, because nginx limits the rate of each. */
export function createClient(port: number, timeoutMs = TIMEOUT_MS): Client {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  function send({
    method = 'POST',
    path,
    token,
    headers,
    body,
  }: RequestOptions): Promise<Answer | undefined> {
    turn = (turn + 1) % ADDRESSES;
    const text = body && JSON.stringify(body);
    return new Promise((resolve) => {
      const outgoing = request({
        agent,
        host: '127.0.0.1',
        port,
        localAddress: `127.0.1.${turn + 1}`,
        method,
        path,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(text !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          }),
          ...headers,
        },
      });
      const timer = setTimeout(() => outgoing.destroy(), timeoutMs);
      const settle = (answer: Answer | undefined) => {
        clearTimeout(timer);
        resolve(answer);
      };
      outgoing.once('error', () => settle(undefined));
      outgoing.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', () => settle(undefined));
        response.once('end', () => settle(toAnswer(response.statusCode ?? 0, Buffer.concat(chunks))));
        response.once('close', () => settle(undefined));
      });
      outgoing.end(text);
    });
  }

  return { send, close: () => agent.destroy() };
}

function toAnswer(status: number, bytes: Buffer): Answer {
  const body = parse(bytes.toString());
  return { status, body, isUniform: status < 400 || (Check(Problem, body) && body.status === status) };
}

function parse(text: string): Answer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}
