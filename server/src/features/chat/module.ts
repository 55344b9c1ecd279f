import { retention } from '../../db/delete-in-batches.ts';
import { groupWriter } from '../../db/group-writer.ts';
import { jobLease } from '../../db/job-lease.ts';
import type { Db } from '../../db/open.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import { openChatAdmin } from './admin/module.ts';
import { chatAdminRoutes } from './admin/routes.ts';
import { startIndexJob } from './index-job.ts';
import { chatRoutes } from './routes.ts';
import { chatStore } from './store.ts';

const MAX_GROUP_SIZE = 1000;
const LEASE_MS = 60_000;

type ChatContext = Pick<FeatureContext, 'settings' | 'db' | 'log' | 'limiters' | 'metrics' | 'security'>;

export function openChat({ settings, db, log, limiters, metrics, security }: ChatContext): Feature {
  const chat = chatStore(db);
  const writer = groupWriter(MAX_GROUP_SIZE, chat.insertAll);
  metrics.watchQueue('chat', writer.waiting);
  const succeeded = metrics.job('chat_index');
  const indexing = startIndexJob({ chat, log, succeeded, ...indexingOn(db) });
  const ofOthers = {
    reports: limiters('chat', () => ({ limit: settings.current.chat.limit, window: 60 })),
    bytes: limiters('chat_bytes', () => ({ limit: settings.current.chat.bytes, window: 3600 })),
  };
  const { zonesOf } = security.gameServerAuth;
  return {
    sweeps: [
      retention('old chat', () => settings.current.chat.retention_days, chat.deleteOlderThan),
      { name: 'names of old chat', deleteOldest: chat.deleteOldNames },
    ],
    routes(app) {
      chatRoutes(app, { settings, writer, limiters: ofOthers, zonesOf });
      chatAdminRoutes(app, openChatAdmin({ db }));
    },
    async close() {
      await indexing.close();
      await writer.drain();
    },
  };
}

function indexingOn(db: Db) {
  return db.engine === 'sqlite'
    ? { batchSize: 200, intervalMs: 1000 }
    : { batchSize: 1000, intervalMs: 5000, lease: jobLease(db, 'chat index', LEASE_MS) };
}
