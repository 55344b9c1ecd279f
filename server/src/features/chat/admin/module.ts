import type { Db } from '../../../db/open.ts';
import { chatStore } from '../store.ts';

export function openChatAdmin({ db }: { readonly db: Db }) {
  const { find } = chatStore(db);
  return { find };
}
