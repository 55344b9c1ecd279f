import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import type { OperatorIdentity } from '../../../http/operator.ts';
import { Refusal } from '../../../refusal.ts';
import { parseTime } from '../../../runtime/time.ts';
import type { ChangedPlayer } from './change-player.ts';
import type { PlayerAdmin } from './module.ts';
import { listedPlayer } from './show-player.ts';

interface PlayerRouteDeps {
  readonly players: PlayerAdmin;
  /** Applies an unlock on this instance immediately. The others see it at their next poll. */
  readonly refreshUnlocks: () => Promise<void>;
}

export function playerAdminRoutes(app: FastifyInstance, { players, refreshUnlocks }: PlayerRouteDeps): void {
  mountList(app, adminRoutes.listPlayers, {
    plural: 'players',
    shape: ['string', 'number'],
    find: ({ query: { q, status, agent_id }, operator }, page) =>
      players.find({ q, status, agentId: agent_id, ...viewOf(operator) }, page),
    positionOf: ({ position }) => position,
    shown: ({ player }, { operator }) => listedPlayer(player, viewOf(operator)),
    recordExport: ({ operator, query }) => players.recordExport(operator.actor, 'players', query),
  });
  mount(app, adminRoutes.showPlayer, ({ params, operator }) =>
    players.page(params.player_id, viewOf(operator)),
  );

  mount(app, adminRoutes.banPlayer, async ({ params, body, operator }) => {
    const until = parseTime(body.until);
    const order = { player: playerOf(params, operator), reason: body.reason, until };
    return changed(operator, await players.ban(operator.actor, order));
  });
  mount(app, adminRoutes.unbanPlayer, async ({ params, body, operator }) =>
    changed(operator, await players.unban(operator.actor, { player: playerOf(params, operator), ...body })),
  );
  mount(app, adminRoutes.mutePlayer, async ({ params, body, operator }) => {
    const order = {
      player: playerOf(params, operator),
      reason: body.reason,
      until: parseTime<never>(body.until),
    };
    return changed(operator, await players.mute(operator.actor, order));
  });
  mount(app, adminRoutes.unmutePlayer, async ({ params, body, operator }) =>
    changed(operator, await players.unmute(operator.actor, { player: playerOf(params, operator), ...body })),
  );
  mount(app, adminRoutes.resetPlayerTwoFactor, async ({ params, body, operator }) => {
    const order = { player: playerOf(params, operator), ...body };
    return changed(operator, await players.resetTwoFactor(operator.actor, order));
  });
  mount(app, adminRoutes.signOutPlayer, async ({ params, body, operator }) =>
    changed(operator, await players.signOut(operator.actor, { player: playerOf(params, operator), ...body })),
  );
  mount(app, adminRoutes.unlockPlayer, async ({ params, body, operator }) => {
    const order = { player: playerOf(params, operator), ...body };
    return changed(operator, await players.unlock(operator.actor, order).finally(refreshUnlocks));
  });
  mount(app, adminRoutes.setPlayerEmail, async ({ params, body, operator }) =>
    changed(
      operator,
      await players.setEmail(operator.actor, { player: playerOf(params, operator), ...body }),
    ),
  );
  mount(app, adminRoutes.resetPlayerPassword, async ({ params, body, operator }) => {
    const order = { player: playerOf(params, operator), ...body };
    const { temporaryPassword, auditId } = await players.resetPassword(operator.actor, order);
    return { temporary_password: temporaryPassword, audit_id: auditId };
  });
  mount(app, adminRoutes.addPlayerNote, async ({ params, body, operator }) => {
    const note = { player: playerOf(params, operator), text: body.text };
    const { id, auditId } = await players.addNote(operator.actor, note);
    return answered(201, { id, audit_id: auditId });
  });

  async function changed(operator: OperatorIdentity, { playerId, auditId }: ChangedPlayer) {
    const player = await players.byId(playerId);
    if (!player) throw new Refusal('account_not_found');
    return { ...listedPlayer(player, viewOf(operator)), audit_id: auditId };
  }
}

const playerOf = ({ player_id }: { player_id: number }, { zones }: OperatorIdentity) => ({
  playerId: player_id,
  zones,
});

const viewOf = ({ permissions, zones }: OperatorIdentity) => ({
  personal: permissions.has('personal'),
  zones,
});
