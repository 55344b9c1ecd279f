import type { Session } from '@gatehouse/contract';
import { Refusal, refuseField } from '../../refusal.ts';
import { refuseWeak } from '../../security/password-policy.ts';
import { normaliseEmail } from '../codes/send-code.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { refuseClosed, refuseDisposable, refuseReserved, resolveAgent } from './create-player.ts';
import type { AccountDeps } from './deps.ts';
import { openSession, type Visitor } from './session.ts';

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
export function register(deps: AccountDeps) {
  const { useCode, createPlayer, requireRegistrationOpen } = deps;
  const { passwords, settings, recordLogin } = deps;
  return async (form: Registration, from: Visitor & { agentId: unknown }): Promise<Session> => {
    const { auth, mail, day_max_reg } = settings.current;
    refuseClosed(day_max_reg);
    const email = normaliseEmail(form.email);
    refuseReserved(form.account, auth.reserved_accounts);
    await refuseWeak(form.password, form.account, auth);
    if (mail.refuse_disposable) await refuseDisposable(email);
    const serverId = chosenZone(deps.zones, form.server_id);

    const presented = { email, code: form.code, purpose: 'register', address: from.address } as const;
    const id = await useCode(presented, async ({ hasOwner }) => {
      if (hasOwner) throw refuseField('email_taken', 'email');
      const player = await createPlayer({
        account: form.account,
        passwordHash: await passwords.hash(form.password),
        email,
        serverId,
        ip: from.address,
        device: form.device ?? '',
        os: form.os ?? '',
        browse: form.browse ?? '',
        agentId: await resolveAgent(deps, from.agentId),
      });
      return { work: (trx) => player.insert(trx), wasApplied: player.wasInserted };
    }).catch(async (error) => {
      // Otherwise a full day would reveal, without limit or cost, which names are taken.
      if (error instanceof Refusal && isTaken(error)) await requireRegistrationOpen();
      throw error;
    });
    const { address, userAgent } = from;
    recordLogin({ playerId: id, kind: 'register', address, userAgent });
    return openSession(deps, { id, account: form.account, tokenVersion: 0, serverId });
  };
}

const isTaken = ({ code }: Refusal) => code === 'account_taken' || code === 'email_taken';

function chosenZone(zones: ZoneCache, serverId: number | undefined): number | null {
  if (serverId === undefined) return null;
  const zone = zones.find(serverId);
  if (!zone) throw refuseField('server_not_found', 'server_id');
  return zone.serverId;
}
