import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerParser } from './answers.ts';
import type { MixedRequest } from './requests.ts';

const ANSWER_TIMEOUT_MS = 60_000;

export interface ConnectionParts {
  readonly port: number;
  readonly random: () => number;
  readonly requests: readonly MixedRequest[];
}

/** Sends requests one behind the other in pieces that end anywhere, and judges every answer by the request it must belong to. */
export async function sendMixed({ port, random, requests }: ConnectionParts): Promise<string[]> {
  const faults: string[] = [];
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const parse = answerParser();
  let answered = 0;
  const { promise: done, resolve: end } = Promise.withResolvers<void>();
  socket.on('data', (piece) => {
    try {
      for (const answer of parse(Buffer.from(piece))) {
        const fault = requests[answered++]?.judge(answer);
        if (answered > requests.length) faults.push(`an answer to nothing: ${answer.body.slice(0, 200)}`);
        else if (fault !== undefined) faults.push(fault);
      }
    } catch (error) {
      faults.push(String(error));
      end();
    }
    if (answered >= requests.length) end();
  });
  socket.on('close', () => end());
  socket.on('error', () => end());
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => end());
  await once(socket, 'connect');

  let left = Buffer.from(requests.map(({ bytes }) => bytes).join(''));
  while (left.length > 0 && !socket.destroyed) {
    const size = 1 + Math.floor(random() ** 3 * left.length);
    socket.write(left.subarray(0, size));
    left = left.subarray(size);
    await nextTurn();
  }
  await done;
  socket.destroy();
  if (answered < requests.length) faults.push(`${requests.length - answered} requests were not answered`);
  return faults;
}
