import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BodyOf, routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import type { App } from '../../src/app.ts';
import { type ChatLine, chatStore } from '../../src/features/chat/store.ts';
import { startService } from '../../src/main.ts';
import { loadSettings } from '../../src/settings/load.ts';

/**
 * The controls: the real service, except that chat is written in one of two ways that look right until something breaks. The
 * fault run must detect both.
 */
const { values } = parseArgs({ options: { config: { type: 'string' }, variant: { type: 'string' } } });

type WriteChat = (lines: readonly ChatLine[]) => Promise<void>;

const FLUSH_MS = 200;
const TIMEOUT_MS = 300;

/** Answers first and writes a moment later. */
function earlyAnswer(write: WriteChat): WriteChat {
  return async (lines) => {
    setTimeout(() => void write(lines).catch(() => {}), FLUSH_MS);
  };
}

/** Treats a timeout as a failure and writes again. */
function blindRetry(write: WriteChat): WriteChat {
  return async (lines) => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const outcome = await Promise.race([
        write(lines).then(
          () => 'written',
          () => 'failed',
        ),
        sleep(TIMEOUT_MS, 'late'),
      ]);
      if (outcome === 'written') return;
    }
    throw new Error('the database does not answer');
  };
}

async function writeChatWrongly(http: FastifyInstance, { db }: App): Promise<void> {
  const { insertAll } = chatStore(db);
  const writeWrongly = values.variant === 'early-answer' ? earlyAnswer(insertAll) : blindRetry(insertAll);
  http.addHook('preHandler', async (request, reply) => {
    if (request.url !== routes.reportChat.path) return;
    const report = request.body as BodyOf<typeof routes.reportChat>;
    const records = 'records' in report ? report.records : [report];
    await writeWrongly(records.map(toLine));
    return reply.send({ accepted: records.length });
  });
}

function toLine({
  server_id,
  role,
  content,
}: {
  server_id: number;
  role: string;
  content: string;
}): ChatLine {
  return { serverId: server_id, role, account: '', channel: '', content, sentAt: null };
}

// The hook above belongs to the router; the fast path would bypass it.
const settings = loadSettings(values.config, { GATEHOUSE_HTTP_FAST_PATH: 'false' });
await startService({ settings, extend: writeChatWrongly });
