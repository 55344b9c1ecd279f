import { Refusal, refuseInput } from '../../../refusal.ts';
import type { ChatFilter, ChatPosition, ChatSearchStore } from './store.ts';

const MAX_SPAN_MS = 7 * 24 * 3_600_000;

/** Searches the chat. A search in the content reads every line, so it requires a limited time span. */
export function searchChat(chat: ChatSearchStore) {
  return (filter: ChatFilter, page: { limit: number; after: ChatPosition | undefined }) => {
    const { contains, from, to = Date.now() } = filter;
    if (contains !== undefined && (from === undefined || to - from > MAX_SPAN_MS))
      throw refuseInput('from', 'span', { days: 7 });
    return chat.search(filter, page);
  };
}

const EACH_SIDE = 20;

/** Returns a line of these zones with those before and after it, oldest first. */
export function chatContext(chat: ChatSearchStore) {
  return async (id: number, zones: readonly number[] | null) => {
    const line = await chat.find(id);
    if (!line || (zones && !zones.includes(line.server_id))) throw new Refusal('not_found');
    const before = await chat.around(line, 'before', EACH_SIDE);
    const after = await chat.around(line, 'after', EACH_SIDE);
    return [...before.reverse(), line, ...after];
  };
}
