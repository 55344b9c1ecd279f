import type { ChatSearchStore } from './store.ts';

const EACH_SIDE = 20;

/** Returns a line with those before and after it, oldest first, or undefined if there is no such line. */
export function chatContext(chat: ChatSearchStore) {
  return async (id: number) => {
    const line = await chat.find(id);
    if (!line) return undefined;
    const before = await chat.around(line, 'before', EACH_SIDE);
    const after = await chat.around(line, 'after', EACH_SIDE);
    return [...before.reverse(), line, ...after];
  };
}
