import { setTimeout as sleep } from 'node:timers/promises';
import { type CompletedRequest, type Kind, kinds } from './timeline.ts';
import type { Verdict } from './verdict.ts';

/** Sends one request; undefined if there is nothing to send. */
export type Caller = () => Promise<Verdict> | undefined;

export interface Load {
  now(): number;
  /** Resolves when all requests sent so far are answered. */
  answered(): Promise<void>;
  /** Stops new arrivals; resolves when pending ones are answered. */
  stop(): Promise<void>;
}

/** Open-loop load: arrivals per second of each kind are on time, however long earlier ones hang. */
export function startLoad(options: {
  callers: Readonly<Record<Kind, Caller>>;
  rates: Readonly<Partial<Record<Kind, number>>>;
  onCompleted: (request: CompletedRequest) => void;
}): Load {
  const { callers, rates, onCompleted } = options;
  const began = performance.now();
  const now = () => performance.now() - began;
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  async function arrive(kind: Kind, call: Caller): Promise<void> {
    const from = now();
    const answered = call();
    if (answered === undefined) return;
    const { outcome, note } = await answered;
    onCompleted({ kind, from, to: now(), outcome, note });
  }

  async function arrivals(kind: Kind, call: Caller, rate: number): Promise<void> {
    for (let due = 0; !stopped; due += 1000 / rate) {
      await sleep(Math.max(0, due - now()));
      const arrival = arrive(kind, call).finally(() => underWay.delete(arrival));
      underWay.add(arrival);
    }
  }

  const answered = async () => void (await Promise.all(underWay));
  const streams = kinds.flatMap((kind) => {
    const rate = rates[kind];
    return rate === undefined ? [] : [arrivals(kind, callers[kind], rate)];
  });
  return {
    now,
    answered,
    async stop() {
      stopped = true;
      await Promise.all(streams);
      await answered();
    },
  };
}
