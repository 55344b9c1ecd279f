import type { Db } from '../../../db/open.ts';
import type { gameDatabases } from '../../../integrations/game-database.ts';
import type { gmCommands } from '../../../integrations/gm-command.ts';
import type { openMailer } from '../../../integrations/mailer.ts';
import type { ServiceAnswer } from '../../../integrations/own-service.ts';
import type { openRedisLimiters } from '../../../integrations/redis-limiters.ts';
import type { resolveHost } from '../../../integrations/resolve-host.ts';
import type { tcpCheck } from '../../../integrations/tcp-check.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { SealedSecrets } from '../../sealing/admin/rewrite.ts';
import type { Zone } from '../../zones/store.ts';
import type { DoctorStore } from '../store.ts';

/** Areas that can be examined separately. */
export const AREAS = [
  'settings',
  'service',
  'public_url',
  'machine',
  'redis',
  'mail',
  'database',
  'zones',
  'withdrawals',
  'webhooks',
] as const;
export type Area = (typeof AREAS)[number];

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** How to fix it. Every failure has one. */
  readonly fix?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });

export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: 'warning',
  detail,
  fix,
});

export const failed = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: 'failed',
  detail,
  fix,
});

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A failed connection to several addresses has no message, only a code.
  return (error.message || String(Reflect.get(error, 'code') ?? error.name)).split('\n')[0] ?? '';
}

export function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** The doctor's means of examining an installation. */
export interface Tools {
  readonly openDatabase: (url: string) => Promise<Db>;
  readonly pendingMigrations: (db: Db) => Promise<readonly string[]>;
  readonly storeOf: (db: Db) => DoctorStore;
  readonly countSecrets: (db: Db, settings: Settings) => Promise<SealedSecrets>;
  readonly zonesOf: (db: Db) => Promise<readonly Zone[]>;
  readonly openMailer: typeof openMailer;
  readonly openRedisLimiters: typeof openRedisLimiters;
  readonly tcpCheck: typeof tcpCheck;
  readonly resolveHost: typeof resolveHost;
  /** Requests one path of the service at an address. Rejects if there is no answer. */
  readonly askPublicly: (url: string, path: string) => Promise<Pick<ServiceAnswer, 'status' | 'isOurs'>>;
  readonly gameDatabases: typeof gameDatabases;
  readonly gmCommands: typeof gmCommands;
  /** Throws if the agreement cannot be read. */
  readonly readAgreement: (file: string | undefined) => void;
  /** Folder of the built front end. */
  readonly pagesFolder: string;
}
