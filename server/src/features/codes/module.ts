import type { Feature, FeatureContext } from '../../feature.ts';
import { createKeyedHash } from '../../security/keyed-hash.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import { codeRoutes } from './routes.ts';
import { codeSender } from './send-code.ts';
import { budgetStore, codeStore } from './store.ts';
import { type UseCode, useCode, wrongCodes } from './use-code.ts';

/** Codes are valid for a minute; older rows still show how many were sent. */
const KEPT_MS = 24 * 3600 * 1000;

interface CodesContext
  extends Pick<FeatureContext, 'settings' | 'db' | 'limiters' | 'mailer' | 'metrics' | 'security'> {
  /** Refuses while registration is closed or the day's cap is reached. */
  readonly requireRegistrationOpen: () => Promise<void>;
  readonly requireProof: RequireProof;
  readonly notifyPlayer: NotifyPlayer;
}

export function openCodes({
  settings,
  db,
  limiters,
  mailer,
  metrics,
  security,
  requireRegistrationOpen,
  requireProof,
  notifyPlayer,
}: CodesContext): Feature & { readonly useCode: UseCode } {
  const codes = codeStore(db);
  const hash = createKeyedHash(settings.current.auth.jwt_secret, 'verification code');
  const refused = (throttle: string) => metrics.throttled.inc({ throttle });
  const wrong = wrongCodes({ budget: budgetStore(db), settings, refused, notifyPlayer });
  const codeThrottle = {
    email: limiters('code_email', () => settings.current.code_throttle.email),
    address: limiters('code_address', () => settings.current.code_throttle.address),
    limits: () => settings.current.code_throttle,
    refused,
  };
  const sender = codeSender({ codes, hash, mailer, codeThrottle, wrong, requireRegistrationOpen });
  return {
    useCode: useCode({ codes, wrong, hash, throttle: security.throttle }),
    routes: (app) => codeRoutes(app, { send: sender.send, requireProof }),
    sweeps: [
      { name: 'old verification codes', deleteOldest: (limit) => codes.deleteExpired(KEPT_MS, limit) },
      { name: 'old counts of wrong codes', deleteOldest: wrong.deleteOldest },
    ],
    close: sender.close,
  };
}
