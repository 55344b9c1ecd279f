import { Refusal } from '../../../refusal.ts';
import type { ChatFilter, ChatPosition, ChatSearchStore } from './store.ts';

const MAX_SPAN_MS = 7 * 24 * 3_600_000;

/** Searches the chat. A search in the content reads every line, so it requires a limited time span. */
export function searchChat(chat: ChatSearchStore) {
  return (filter: ChatFilter, page: { limit: number; after: ChatPosition | undefined }) => {
    const { contains, from, to = Date.now() } = filter;
    if (contains !== undefined && (from === undefined || to - from > MAX_SPAN_MS))
      throw new Refusal('invalid_request', {
        errors: [{ field: 'from', message: 'span', params: { days: 7 } }],
      });
    return chat.search(filter, page);
  };
}
