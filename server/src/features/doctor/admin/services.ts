import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../../settings/schema.ts';
import { isLocal } from './access.ts';
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts';
import type { Tools } from './tools.ts';

const REDIS_TIMEOUT_MS = 2000;
/** Timeout while no error has occurred: on a busy machine, connecting may take that long. */
const REDIS_CONNECT_TIMEOUT_MS = 10_000;

export async function examineRedis(
  url: string | undefined,
  { openRedisLimiters }: Pick<Tools, 'openRedisLimiters'>,
): Promise<Finding> {
  if (url === undefined) return ok('redis', 'not used: each process throttles on its own');
  let lastError: unknown;
  let redis: ReturnType<typeof openRedisLimiters> | undefined;
  try {
    redis = openRedisLimiters(url, {
      warn: (fields) => {
        lastError = Reflect.get(fields, 'err') ?? lastError;
      },
    });
    // The client connects in the background and refuses commands until then.
    for (const began = Date.now(); ; await sleep(50)) {
      try {
        await redis.ping();
        return ok('redis', 'answers');
      } catch (error) {
        const timeoutMs = lastError === undefined ? REDIS_CONNECT_TIMEOUT_MS : REDIS_TIMEOUT_MS;
        if (Date.now() - began > timeoutMs) throw lastError ?? error;
      }
    }
  } catch (error) {
    return failed('redis', reasonOf(error), 'start Redis, or correct redis.url');
  } finally {
    redis?.close();
  }
}

export async function examineMail(
  { mail, game, public_url }: Settings,
  { openMailer }: Pick<Tools, 'openMailer'>,
): Promise<Finding> {
  if (mail.url.startsWith('outbox:')) {
    if (isLocal(URL.parse(public_url)?.hostname ?? '')) return ok('mail', 'written to a folder');
    return warning(
      'mail',
      'mails are only written to a folder: players receive no codes',
      'set mail.url to smtp://user:password@host:587',
    );
  }
  const mailer = openMailer({ ...mail, gameName: game.name, log: { warn: () => {} } });
  try {
    await mailer.verify();
    return ok('mail', 'the mail server accepts the login');
  } catch (error) {
    return failed('mail', reasonOf(error), 'correct mail.url, or ask the operator of the mail server');
  } finally {
    mailer.close();
  }
}
