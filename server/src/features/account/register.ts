import type { Session } from '@gatehouse/contract';
import type { Log } from '../../logging/log.ts';
import { refuseField } from '../../refusal.ts';
import { refuseWeak } from '../../security/password-policy.ts';
import type { PlayerPasswords } from '../../security/player-passwords.ts';
import type { Tokens } from '../../security/tokens.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { normaliseEmail } from '../codes/send-code.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { RecordLogin } from '../history/login-recorder.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import {
  type CreatePlayer,
  type RequireRegistrationOpen,
  refuseClosed,
  resolveAgent,
} from './create-player.ts';
import { refuseDisposable, refuseReserved } from './policy.ts';
import type { Visitor } from './session.ts';
import { openSession } from './session.ts';
import type { AccountStore } from './store.ts';

export interface RegisterParts {
  readonly players: AccountStore;
  readonly zones: ZoneCache;
  readonly useCode: UseCode;
  readonly createPlayer: CreatePlayer;
  readonly requireRegistrationOpen: RequireRegistrationOpen;
  readonly passwords: PlayerPasswords;
  readonly tokens: Tokens;
  readonly settings: LiveSettings;
  readonly recordLogin: RecordLogin;
  readonly log: Pick<Log, 'info'>;
}

export interface Registration {
  readonly account: string;
  readonly password: string;
  readonly email: string;
  readonly code: string;
  readonly server_id?: number;
  readonly device?: string;
  readonly os?: string;
  readonly browse?: string;
}

/** Registers a player. Code, cap and player are one transaction, so a refusal leaves no trace and uses up no code. */
export function register(parts: RegisterParts) {
  const { players, useCode, createPlayer, requireRegistrationOpen } = parts;
  const { passwords, settings, recordLogin } = parts;
  return async (form: Registration, from: Visitor & { agentId: unknown }): Promise<Session> => {
    const { auth, mail, day_max_reg } = settings.current;
    refuseClosed(day_max_reg);
    const email = normaliseEmail(form.email);
    refuseReserved(form.account, auth.reserved_accounts);
    await refuseWeak(form.password, form.account, auth);
    if (mail.refuse_disposable) await refuseDisposable(email);
    const serverId = chosenZone(parts.zones, form.server_id);

    const code = await useCode({ email, code: form.code, purpose: 'register', address: from.address });
    await requireRegistrationOpen();
    if (await players.emailIsTaken(email)) throw refuseField('email_taken', 'email');
    const player = await createPlayer(
      {
        account: form.account,
        passwordHash: await passwords.hash(form.password),
        email,
        serverId,
        ip: from.address,
        device: form.device ?? '',
        os: form.os ?? '',
        browse: form.browse ?? '',
        agentId: await resolveAgent(parts, from.agentId),
      },
      (trx) => code.consume(trx),
    );
    const { address, userAgent } = from;
    recordLogin({ playerId: player.id, kind: 'register', address, userAgent });
    return openSession(parts, player);
  };
}

function chosenZone(zones: ZoneCache, serverId: number | undefined): number | null {
  if (serverId === undefined) return null;
  const zone = zones.find(serverId);
  if (!zone) throw refuseField('server_not_found', 'server_id');
  return zone.serverId;
}
