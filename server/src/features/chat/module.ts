import { retention } from '../../db/delete-in-batches.ts';
import { groupWriter } from '../../db/group-writer.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import type { Log } from '../../logging/log.ts';
import { backgroundPause, type Job, startJob } from '../../runtime/job.ts';
import { openChatAdmin } from './admin/module.ts';
import { chatAdminRoutes } from './admin/routes.ts';
import { chatRoutes } from './routes.ts';
import { type ChatStore, chatStore } from './store.ts';

const MAX_GROUP_SIZE = 1000;
/** Takes some milliseconds to write, during which requests wait. */
const INDEX_BATCH_SIZE = 200;
const INDEX_INTERVAL_MS = 1000;

type ChatContext = Pick<FeatureContext, 'settings' | 'db' | 'log' | 'limiters' | 'security'>;

export function openChat({ settings, db, log, limiters, security }: ChatContext): Feature {
  const chat = chatStore(db);
  const writer = groupWriter(MAX_GROUP_SIZE, chat.insertAll);
  const indexing = db.engine === 'sqlite' ? startIndexJob(chat, log) : undefined;
  const ofOthers = {
    reports: limiters('chat', () => ({ limit: settings.current.chat.limit, window: 60 })),
    bytes: limiters('chat_bytes', () => ({ limit: settings.current.chat.bytes, window: 3600 })),
  };
  const { zonesOf } = security.gameServerAuth;
  return {
    sweeps: [retention('old chat', () => settings.current.chat.retention_days, chat.deleteOlderThan)],
    routes(app) {
      chatRoutes(app, { settings, writer, limiters: ofOthers, zonesOf });
      chatAdminRoutes(app, openChatAdmin({ db }));
    },
    async close() {
      await indexing?.close();
      await writer.drain();
    },
  };
}

/** Indexes lines that bursts have left unindexed, within seconds or as soon as requests leave time for it. */
function startIndexJob({ indexOldest }: ChatStore, log: Pick<Log, 'warn'>): Job {
  return startJob({
    intervalMs: INDEX_INTERVAL_MS,
    async work(mayGoOn) {
      while (await mayGoOn()) {
        const started = performance.now();
        if ((await indexOldest(INDEX_BATCH_SIZE)) < INDEX_BATCH_SIZE) return;
        await backgroundPause(performance.now() - started);
      }
    },
    failed: (err) => log.warn({ err }, 'chat could not be indexed'),
  });
}
