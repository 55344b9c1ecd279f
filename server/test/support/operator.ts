import type { OperatorRole } from '@gatehouse/contract/admin';
import { openOperatorAdmin } from '../../src/features/operators/admin/module.ts';
import { parseSettings } from '../../src/settings/load.ts';
import type { Reply, RequestOptions } from './client.ts';
import { freshAddress, type TestApp } from './test-app.ts';

export const OPERATOR_PASSWORD = 'a lantern over the gate';

/** Calls the operators' API with a session cookie from the console's own origin, or with a key. */
export interface OperatorClient {
  readonly name: string;
  readonly cookie: string;
  get(path: string, options?: RequestOptions): Promise<Reply>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  send(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
}

/** The part of a started app that operators need. */
type OperatorsApp = Pick<TestApp, 'db' | 'from' | 'url'>;

/** Invites an operator by the rule that the command line uses. Returns the link's token. */
export async function invite(
  app: Pick<OperatorsApp, 'db'>,
  { name, role, zones = null }: { name: string; role: OperatorRole; zones?: number[] | null },
): Promise<string> {
  const settings = parseSettings({ auth: { password_key: 'k', jwt_secret: 'x'.repeat(32) } });
  const operators = openOperatorAdmin({ db: app.db, settings });
  const { link } = await operators.add({ name: 'test', via: 'cli' }, { name, role, zones });
  return link.slice(link.indexOf('#') + 1);
}

/** Creates an operator who has accepted the invitation over HTTP and is logged in. */
export async function makeOperator(
  app: OperatorsApp,
  { name = 'boss', role = 'admin' as OperatorRole, zones = null as number[] | null } = {},
): Promise<OperatorClient> {
  const invitation = await invite(app, { name, role, zones });
  const address = freshAddress();
  const accepted = await app
    .from(address)
    .post('/api/admin/invitation', { invitation, password: OPERATOR_PASSWORD });
  if (accepted.status !== 200) throw new Error(`the invitation of ${name} was answered ${accepted.text}`);
  return operatorClient(app, name, cookieIn(accepted), address);
}

export function cookieIn({ headers }: Reply): string {
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return cookie;
}

export function operatorClient(
  app: Pick<TestApp, 'from' | 'url'>,
  name: string,
  cookie: string,
  address = freshAddress(),
): OperatorClient {
  const { send } = app.from(address);
  const call: OperatorClient['send'] = (method, path, body, options = {}) =>
    send(method, `/api/admin/${path}`, {
      ...options,
      headers: {
        cookie,
        origin: app.url,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    name,
    cookie,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body = {}, options = {}) => call('POST', path, body, options),
    send: call,
  };
}

/** Same API with a key. */
export function keyClient(app: Pick<TestApp, 'from' | 'url'>, key: string): OperatorClient {
  const client = operatorClient(app, 'key', '');
  const withKey = (options: RequestOptions = {}) => ({
    ...options,
    headers: { cookie: '', origin: '', authorization: `Bearer ${key}`, ...options.headers },
  });
  return {
    ...client,
    get: (path, options) => client.get(path, withKey(options)),
    post: (path, body = {}, options) => client.post(path, body, withKey(options)),
    send: (method, path, body, options) => client.send(method, path, body, withKey(options)),
  };
}
