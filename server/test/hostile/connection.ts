import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerParser } from './answers.ts';
import type { MixedRequest } from './requests.ts';

const ANSWER_TIMEOUT_MS = 60_000;

export interface ConnectionParts {
  readonly port: number;
  readonly random: () => number;
  /** Each batch is sent whole before its first answer is awaited. */
  readonly batches: readonly (readonly MixedRequest[])[];
}

/** Pipelines requests in chunks that end anywhere, and checks every answer against its request. */
export async function sendMixed({ port, random, batches }: ConnectionParts): Promise<string[]> {
  const faults: string[] = [];
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const parse = answerParser();
  const unanswered: MixedRequest[] = [];
  let turn = Promise.withResolvers<void>();
  socket.on('data', (piece) => {
    try {
      for (const answer of parse(Buffer.from(piece))) {
        const request = unanswered.shift();
        const fault = request ? request.judge(answer) : `an answer to nothing: ${answer.body.slice(0, 200)}`;
        if (fault !== undefined) faults.push(fault);
      }
    } catch (error) {
      faults.push(String(error));
      socket.destroy();
    }
    if (unanswered.length === 0) turn.resolve();
  });
  socket.on('close', () => turn.resolve());
  socket.on('error', () => {});
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());

  for (const batch of batches) {
    turn = Promise.withResolvers();
    unanswered.push(...batch);
    let left = Buffer.from(batch.map(({ bytes }) => bytes).join(''));
    while (left.length > 0 && !socket.destroyed) {
      const size = 1 + Math.floor(random() ** 3 * left.length);
      socket.write(left.subarray(0, size));
      left = left.subarray(size);
      await nextTurn();
    }
    if (!socket.destroyed) await turn.promise;
    if (socket.destroyed) break;
  }
  if (unanswered.length > 0) faults.push(`${unanswered.length} requests were not answered`);
  socket.destroy();
  return faults;
}
