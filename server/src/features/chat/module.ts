import { groupWriter } from '../../db/group-writer.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import { type RetentionJob, startRetentionJob } from '../../runtime/retention-job.ts';
import { openChatAdmin } from './admin/module.ts';
import { chatAdminRoutes } from './admin/routes.ts';
import { startIndexJob } from './index-job.ts';
import { chatRoutes } from './routes.ts';
import { chatStore } from './store.ts';

const MAX_GROUP_SIZE = 1000;

export interface ChatFeature extends Feature {
  readonly retention: RetentionJob;
}

type ChatContext = Pick<FeatureContext, 'settings' | 'db' | 'log' | 'limiters' | 'security'>;

export function openChat({ settings, db, log, limiters, security }: ChatContext): ChatFeature {
  const chat = chatStore(db);
  const writer = groupWriter(MAX_GROUP_SIZE, chat.insertAll);
  const indexing =
    db.engine === 'sqlite'
      ? startIndexJob({
          indexOldest: chat.indexOldest,
          onError: (err) => log.warn({ err }, 'chat could not be indexed'),
        })
      : undefined;
  const retention = startRetentionJob({
    deleteOlderThan: chat.deleteOlderThan,
    days: () => settings.current.chat.retention_days,
    onError: (err) => log.warn({ err }, 'old chat could not be deleted'),
  });
  const ofOthers = {
    reports: limiters('chat', () => ({ limit: settings.current.chat.limit, window: 60 })),
    bytes: limiters('chat_bytes', () => ({ limit: settings.current.chat.bytes, window: 3600 })),
  };
  const { isGameServer } = security.gameServerAuth;
  return {
    retention,
    routes(app) {
      chatRoutes(app, { settings, writer, limiters: ofOthers, isGameServer });
      chatAdminRoutes(app, openChatAdmin({ db }));
    },
    async close() {
      retention.close();
      await indexing?.close();
      await writer.drain();
    },
  };
}
