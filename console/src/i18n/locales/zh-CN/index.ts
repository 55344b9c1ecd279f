import { admin } from './admin.ts';
import { audit } from './audit.ts';
import { common } from './common.ts';
import { desk } from './desk.ts';
import { growth } from './growth.ts';
import { overview } from './overview.ts';
import { players } from './players.ts';
import { session } from './session.ts';
import { site } from './site.ts';
import { webhooks } from './webhooks.ts';
import { withdrawals } from './withdrawals.ts';
import { zones } from './zones.ts';

export const messages = {
  ...common,
  ...session,
  ...overview,
  ...zones,
  ...players,
  ...withdrawals,
  ...growth,
  ...desk,
  ...site,
  ...audit,
  ...admin,
  ...webhooks,
};
