import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../../http/input.ts';
import type { Metrics } from '../../http/metrics.ts';
import { answered, mount } from '../../http/mount.ts';
import { countOutcomes } from '../../http/outcomes.ts';
import { checkToken, formatOf } from './check-token.ts';
import type { AccountDeps } from './deps.ts';
import { enterGame } from './enter-game.ts';
import { login } from './login.ts';
import { register } from './register.ts';
import { resetPassword } from './reset-password.ts';
import { finishLogin } from './second-factor.ts';
import type { Visitor } from './session.ts';

export function accountRoutes(
  app: FastifyInstance,
  deps: AccountDeps & { readonly metrics: Pick<Metrics, 'countLogin' | 'countCheck' | 'countRegistration'> },
): void {
  const { requireProof, metrics } = deps;
  const logIn = countOutcomes(login(deps), (outcome) => metrics.countLogin('password', outcome));
  mount(app, routes.login, ({ body, context }) => {
    const credentials = { ...body, ...visitorOf(context) };
    const proof = requireProof('login', context);
    return proof === undefined ? logIn(credentials) : proof.then(() => logIn(credentials));
  });

  const finish = countOutcomes(finishLogin(deps), (outcome) => metrics.countLogin('second_factor', outcome));
  mount(app, routes.loginSecondFactor, (input) => finish(input.body, originOf(input)));

  const signUp = countOutcomes(register(deps), (outcome) => metrics.countRegistration('mail', outcome));
  mount(app, routes.register, async ({ body, query, context }) => {
    await requireProof('register', context);
    return answered(201, await signUp(body, { ...visitorOf(context), agentId: query.agent_id }));
  });

  const reset = resetPassword(deps);
  mount(app, routes.resetPassword, (input) => reset(input.body, originOf(input)));

  const check = countOutcomes(checkToken(deps), (outcome, { token }) =>
    metrics.countCheck(formatOf(token), outcome),
  );
  mount(app, routes.check, ({ body, context }) => check(body, context));
  mount(app, routes.checkByQuery, ({ query, context }) => check(query, context));

  const enter = enterGame(deps);
  mount(app, routes.enterGame, ({ body, identity, context }) =>
    enter({ ...identity, serverId: body.server_id, ...visitorOf(context) }),
  );
}

const visitorOf = ({ address, userAgent }: Visitor): Visitor => ({ address, userAgent });
