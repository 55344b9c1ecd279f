import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { chatContext, searchChat } from './search.ts';
import { chatSearchStore } from './store.ts';

export function openChatAdmin({ db }: { readonly db: Db }) {
  const chat = chatSearchStore(db);
  return {
    find: chat.search,
    search: searchChat(chat),
    context: chatContext(chat),
    recordExport: auditStore(db).recordExport,
  };
}

export type ChatAdmin = ReturnType<typeof openChatAdmin>;
