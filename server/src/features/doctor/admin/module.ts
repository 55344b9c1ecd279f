import { pendingMigrations } from '../../../db/migrate.ts';
import { openDatabase } from '../../../db/open.ts';
import { gameDatabases } from '../../../integrations/game-database.ts';
import { gmCommands } from '../../../integrations/gm-command.ts';
import { openMailer } from '../../../integrations/mailer.ts';
import { ownService } from '../../../integrations/own-service.ts';
import { openRedisLimiters } from '../../../integrations/redis-limiters.ts';
import { resolveHost } from '../../../integrations/resolve-host.ts';
import { tcpCheck } from '../../../integrations/tcp-check.ts';
import { openSealing } from '../../sealing/admin/module.ts';
import { openAgreement } from '../../site/agreement.ts';
import { openZoneAdmin } from '../../zones/admin/module.ts';
import { doctorStore } from '../store.ts';
import { examine } from './examine.ts';
import type { Tools } from './finding.ts';

const ASK_TIMEOUT_MS = 3000;

export function openDoctorAdmin({ pagesFolder }: Pick<Tools, 'pagesFolder'>) {
  const tools: Tools = {
    openDatabase,
    pendingMigrations,
    storeOf: doctorStore,
    countSecrets: (db, settings) => openSealing({ db, settings }).count(),
    zonesOf: (db) => openZoneAdmin({ db }).list(),
    openMailer,
    openRedisLimiters,
    tcpCheck,
    resolveHost,
    askPublicly: (url, path) => ownService(url, ASK_TIMEOUT_MS).ask({ method: 'GET', target: path }),
    gameDatabases,
    gmCommands,
    readAgreement: (file) => openAgreement(file, { warn: () => {} }).close(),
    pagesFolder,
  };
  return { examine: examine(tools) };
}
