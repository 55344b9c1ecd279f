import type { OwnLogin } from '@gatehouse/contract/own-account';
import { timeText } from '../../runtime/time.ts';
import type { LoginKind } from '../history/record-login.ts';
import type { HistoryStore } from '../history/store.ts';

const MAX_LOGINS = 50;

export function listLogins({ history }: { readonly history: Pick<HistoryStore, 'loginsOf'> }) {
  return async (playerId: number): Promise<{ logins: OwnLogin[] }> => {
    const logins = await history.loginsOf(playerId, MAX_LOGINS);
    return {
      logins: logins.map(({ at, kind, ip, agent, serverId }) => ({
        at: timeText(at),
        kind: kind as LoginKind,
        ip,
        agent,
        server_id: serverId,
      })),
    };
  };
}
