import { type ServerResponse, STATUS_CODES } from 'node:http';

/** All of a head that does not differ from answer to answer. */
export interface PreparedHead {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  /** The status line and those headers, as they go over the wire. */
  readonly start: string;
}

export function prepareHead(status: number, headers: readonly string[]): PreparedHead {
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return { status, headers, start: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}` };
}

/** One character for each byte of UTF-8: head and body then leave in one write. */
export function oneCharacterPerByte(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** An answer of which nothing is left to do but to send it. */
export interface WordedAnswer {
  readonly head: PreparedHead;
  readonly requestId: string;
  /** One character for each byte; empty only where there is no body at all. */
  readonly body: string;
  /** The whole answer, as it goes over a connection that is kept. */
  readonly whole: string;
}

export function wordAnswer(head: PreparedHead, requestId: string, body: string): WordedAnswer {
  const length = body === '' ? '' : `content-length: ${body.length}\r\n`;
  const end = `x-request-id: ${requestId}\r\nDate: ${dateText()}\r\nConnection: keep-alive\r\n\r\n`;
  return { head, requestId, body, whole: head.start + length + end + body };
}

/**
 * Past the place where node:http puts a head together and checks it, a tenth of the fastest routes; see
 * docs/decisions/0008-ready-answers.md.
 */
export function sendWorded(response: ServerResponse, answer: WordedAnswer): void {
  if (!response.shouldKeepAlive) return void sendLast(response, answer);
  response.statusCode = answer.head.status;
  (response as ServerResponse & { _header: string })._header = answer.whole;
  response.end();
}

/** The documented way, for the last answer of a connection. */
function sendLast(response: ServerResponse, { head, requestId, body }: WordedAnswer): void {
  const length = body === '' ? [] : ['content-length', String(body.length)];
  response.writeHead(head.status, ['x-request-id', requestId, ...head.headers, ...length]);
  response.end(body, 'latin1');
}

let dateSecond = 0;
let date = '';

/** Worded once a second. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1000).toUTCString();
  }
  return date;
}
