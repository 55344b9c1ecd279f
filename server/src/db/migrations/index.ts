import { accounts } from './0001-accounts.ts';
import { zones } from './0002-zones.ts';
import { withdrawals } from './0003-withdrawals.ts';
import { forum } from './0004-forum.ts';
import { chatRecords } from './0005-chat.ts';
import { auditRecords } from './0006-audit.ts';
import { operators } from './0007-operators.ts';
import { history } from './0008-history.ts';
import { controls } from './0009-controls.ts';
import { revokedTokens } from './0010-revoked-tokens.ts';
import { codePurposes } from './0011-code-purposes.ts';
import { withdrawGuards } from './0012-withdraw-guards.ts';
import { withdrawDesk } from './0020-withdraw-desk.ts';
import { zoneLife } from './0030-zone-life.ts';
import { entryTickets } from './0031-entry-tickets.ts';
import { playerNotes } from './0040-player-notes.ts';
import { chatSearch } from './0041-chat-search.ts';
import { playerOrigin } from './0050-player-origin.ts';
import { ownAccount } from './0051-own-account.ts';
import { playerTwoFactor } from './0052-player-two-factor.ts';
import { ticketSession } from './0060-ticket-session.ts';
import { withdrawOrigin } from './0061-withdraw-origin.ts';
import { listFilters } from './0062-list-filters.ts';
import { chatBursts } from './0063-chat-bursts.ts';
import { unconfirmedBindings } from './0075-unconfirmed-bindings.ts';
import { zoneKeys } from './0076-zone-keys.ts';
import { withdrawAddresses } from './0077-withdraw-addresses.ts';
import { playerZones } from './0080-player-zones.ts';
import { keyMakers } from './0081-key-makers.ts';
import { proposedVia } from './0082-proposed-via.ts';
import { codeOwners } from './0083-code-owners.ts';
import { playerArgon2 } from './0084-player-argon2.ts';
import { operatorAddresses } from './0085-operator-addresses.ts';
import { gmFailures } from './0088-gm-failures.ts';
import { zoneGmSettings } from './0089-zone-gm-settings.ts';
import { webhooks } from './0090-webhooks.ts';
import { site } from './0093-site.ts';
import { importSources } from './0094-import-source.ts';
import { webhookTraces } from './0096-webhook-traces.ts';
import { playerEvents } from './0097-player-events.ts';
import { orderOfTime } from './0099-order-of-time.ts';
import { chatNames } from './0101-chat-names.ts';
import { lastZone } from './0102-last-zone.ts';
import { codeOrder } from './0103-code-order.ts';
import type { Migration } from './migration.ts';

/** In the order they are applied. Never change a released migration; add a new one. */
const all = [
  accounts,
  zones,
  withdrawals,
  forum,
  chatRecords,
  auditRecords,
  operators,
  history,
  controls,
  revokedTokens,
  codePurposes,
  withdrawGuards,
  withdrawDesk,
  zoneLife,
  entryTickets,
  playerNotes,
  chatSearch,
  playerOrigin,
  ownAccount,
  playerTwoFactor,
  ticketSession,
  withdrawOrigin,
  listFilters,
  chatBursts,
  unconfirmedBindings,
  zoneKeys,
  withdrawAddresses,
  playerZones,
  keyMakers,
  proposedVia,
  codeOwners,
  playerArgon2,
  operatorAddresses,
  gmFailures,
  zoneGmSettings,
  webhooks,
  site,
  importSources,
  webhookTraces,
  playerEvents,
  orderOfTime,
  chatNames,
  lastZone,
  codeOrder,
] as const satisfies readonly Migration[];

export const migrations: readonly Migration[] = all;

/** The migrations with their tables and columns, for the row types. */
export type Migrated = (typeof all)[number];
