import type { FastifyInstance } from 'fastify';
import type { FeatureContext } from '../../feature.ts';
import { createArgon2Passwords } from '../../security/argon2.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import { createSealedTexts } from '../../security/sealer.ts';
import { auditStore } from '../audit/store.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import { openOperatorAdmin } from './admin/module.ts';
import { operatorAdminRoutes } from './admin/routes.ts';
import { authenticate, sessionLimits } from './authenticate.ts';
import { operatorRoutes } from './routes.ts';
import { sessionStore } from './session-store.ts';
import { operatorStore } from './store.ts';

interface OperatorsContext extends Pick<FeatureContext, 'settings' | 'db' | 'metrics' | 'security'> {
  readonly twoFactor: TwoFactor;
  readonly requireProof: RequireProof;
}

export function openOperators(context: OperatorsContext) {
  const { settings, db, metrics, security, twoFactor, requireProof } = context;
  const sessions = sessionStore(db);
  const deps = {
    operators: operatorStore(db, createSealedTexts(settings.current.auth.seal_key)),
    sessions,
    passwords: createArgon2Passwords(),
    twoFactor,
    throttle: security.operatorThrottle,
    requireProof,
    audit: auditStore(db),
    transaction: db.transaction,
    settings,
    metrics,
  };
  return {
    /** Called by authentication for every operator's request. */
    authenticate: authenticate(deps),
    routes(app: FastifyInstance) {
      operatorRoutes(app, deps);
      operatorAdminRoutes(app, openOperatorAdmin({ db, settings: settings.current, twoFactor }));
    },
    sweeps: [
      {
        name: 'old sessions of operators',
        deleteOldest: (limit: number) => sessions.deleteOlderThan(sessionLimits(settings).lifetimeMs, limit),
      },
    ],
  };
}

export type OperatorsFeature = ReturnType<typeof openOperators>;
