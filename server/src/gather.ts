import { atEndOfTurn } from './end-of-turn.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Hands over together what was asked for during one turn of the event loop, so many at a time. A question to a database
 * costs far more than one answer more. A failure is told to all who shared the question.
 */
export function gather<Item, Result>(
  most: number,
  handle: (items: Item[]) => Promise<(item: Item) => Result>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];

  async function handOver(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const resultOf = await handle(group.map(({ item }) => item));
      for (const { item, done } of group) done(resultOf(item));
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  }

  function handAllOver(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += most) handOver(all.slice(start, start + most));
  }

  return (item) =>
    new Promise((done, failed) => {
      if (waiting.length === 0) atEndOfTurn(handAllOver);
      waiting.push({ item, done, failed });
    });
}
