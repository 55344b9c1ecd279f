import type { Db } from '../../../db/open.ts';
import { localTime } from '../../../runtime/time.ts';
import type { Settings } from '../../../settings/schema.ts';
import { readFigures } from '../read-figures.ts';
import { statSources } from '../sources.ts';
import { statStore } from '../store.ts';
import { type DashboardParts, dashboard } from './dashboard.ts';
import { playerFigures, promoterNames } from './player-store.ts';
import { promoterFigures } from './promoter-figures.ts';
import { registrations } from './registrations.ts';
import { withdrawalFigures } from './withdrawal-store.ts';

interface StatsAdminParts extends Partial<Pick<DashboardParts, 'zonesDown' | 'cap'>> {
  readonly db: Db;
  readonly settings: Settings;
}

/** The command line has no probes, and no cap but that of the settings. */
export function openStatsAdmin({
  db,
  settings,
  zonesDown = () => 0,
  cap = () => settings.day_max_reg,
}: StatsAdminParts) {
  const time = localTime(settings.time_zone);
  const stats = statStore(db);
  const reading = { stats, sources: statSources(db, time) };
  const figures = readFigures(reading);
  const players = playerFigures(db);
  const withdrawals = withdrawalFigures(db);
  return {
    dashboard: dashboard({ figures, stats, withdrawals, zonesDown, cap, time }),
    registrations: registrations({ figures, players, promoterNames: promoterNames(db), cap, time }),
    figuresOfPromoter: promoterFigures({ players, withdrawals, time }),
  };
}

export type StatsAdmin = ReturnType<typeof openStatsAdmin>;
