import type { Db } from '../../../db/open.ts';
import { localTime } from '../../../runtime/time.ts';
import type { Settings } from '../../../settings/schema.ts';
import { readFigures } from '../read-figures.ts';
import { statSources } from '../sources.ts';
import { statStore } from '../store.ts';
import { dashboard, type StatsDeps } from './dashboard.ts';
import { playerFigures, promoterNames } from './player-store.ts';
import { promoterFigures } from './promoter-figures.ts';
import { registrations } from './registrations.ts';
import { withdrawalFigures } from './withdrawal-store.ts';

interface StatsAdminDeps extends Partial<Pick<StatsDeps, 'zonesDown' | 'cap'>> {
  readonly db: Db;
  readonly settings: Settings;
}

/** The command line has no probes, and no cap but that of the settings. */
export function openStatsAdmin({
  db,
  settings,
  zonesDown = () => 0,
  cap = () => settings.day_max_reg,
}: StatsAdminDeps) {
  const time = localTime(settings.time_zone);
  const stats = statStore(db);
  const deps = {
    figures: readFigures({ stats, sources: statSources(db, time) }),
    stats,
    players: playerFigures(db),
    promoterNames: promoterNames(db),
    withdrawals: withdrawalFigures(db),
    zonesDown,
    cap,
    time,
  };
  return {
    dashboard: dashboard(deps),
    registrations: registrations(deps),
    figuresOfPromoter: promoterFigures(deps),
  };
}

export type StatsAdmin = ReturnType<typeof openStatsAdmin>;
