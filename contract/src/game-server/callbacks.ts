import { Account, ConnectId, Provider, strict } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

const bindAccount = route({
  method: 'POST',
  path: '/api/bind_account',
  auth: 'game_server',
  tag: 'game servers',
  summary: 'Bind a third-party account to a local one; game servers only',
  secret: true,
  signed: true,
  form: true,
  body: strict({ account: Account, connect_id: ConnectId, provider: Type.Optional(Provider) }),
  answers: {
    200: { description: 'Bound', schema: strict({ account: Type.String(), connect_id: Type.String() }) },
  },
  refusals: ['caller_not_allowed', 'account_not_found', 'already_bound'],
});

const link = route({
  method: 'GET',
  path: '/api/link',
  auth: 'game_server',
  tag: 'game servers',
  summary: 'Find a local account by connect_id; game servers only',
  secret: true,
  signed: true,
  query: strict({ connect_id: ConnectId, provider: Type.Optional(Provider) }),
  answers: { 200: { description: 'Found', schema: strict({ account: Type.String() }) } },
  refusals: ['caller_not_allowed', 'account_not_found'],
});

export const callbackRoutes = { bindAccount, link };
