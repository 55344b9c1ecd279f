import type { Static } from 'typebox';
import { Account, line, Password, Provider, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { Session } from './accounts.ts';

const authorize = route({
  method: 'GET',
  path: '/api/forumauth/authorize',
  auth: 'none',
  tag: 'forum login',
  summary: 'Start the login with an identity provider',
  secret: true,
  query: strict({
    redirect: Type.Optional(Type.String({ maxLength: 512, description: 'A path of the front end.' })),
    provider: Type.Optional(Provider),
  }),
  answers: { 302: { description: 'To the identity provider' } },
  refusals: ['not_found', 'forum_unavailable'],
});

const callback = route({
  method: 'GET',
  path: '/api/forumauth/callback',
  auth: 'none',
  tag: 'forum login',
  summary: 'Callback to which the identity provider redirects the browser',
  secret: true,
  foreignQuery: true,
  query: Type.Object(
    {
      code: Type.Optional(Type.Unknown({ description: 'The authorization code of the provider.' })),
      state: Type.Optional(Type.Unknown({ description: 'The state with which the login was started.' })),
      error: Type.Optional(Type.Unknown({ description: 'Why there is no code.' })),
      iss: Type.Optional(Type.Unknown({ description: 'The issuer that answers (RFC 9207).' })),
    },
    { additionalProperties: true },
  ),
  answers: { 302: { description: 'To the login page, with `#ticket=` or `?error=`' } },
  refusals: [],
});

const forumBind = route({
  method: 'POST',
  path: '/api/forumauth/bind',
  auth: 'none',
  tag: 'forum login',
  summary: 'Exchange the ticket: log in, bind an account, or register one',
  secret: true,
  body: strict({
    ticket: line(1, 128),
    account: Type.Optional(Account),
    password: Type.Optional(Password),
    agent_id: Type.Optional(Type.Unknown({ description: 'Promoter ID, if an account is created.' })),
  }),
  answers: {
    200: { description: 'Logged in', schema: Session },
    201: { description: 'Registered and logged in', schema: Session },
  },
  refusals: [
    'invalid_ticket',
    'invalid_credentials',
    'second_factor_required',
    'account_suspended',
    'account_required',
    'already_bound',
    'too_many_attempts',
    'registration_cap_reached',
  ],
});

export const Binding = strict({ provider: Type.String(), connect_id: Type.String(), bound_at: Time });
export type Binding = Static<typeof Binding>;

const Bindings = strict({ bindings: Type.Array(Binding) });

const bindings = route({
  method: 'GET',
  path: '/api/bind',
  auth: 'player',
  tag: 'forum login',
  summary: 'List the caller’s third-party bindings',
  secret: true,
  answers: { 200: { description: 'Bindings', schema: Bindings } },
  refusals: [],
});

const unbind = route({
  method: 'DELETE',
  path: '/api/bind/:provider',
  auth: 'player',
  tag: 'forum login',
  summary: 'Remove a binding; refused if it is the only way to log in',
  secret: true,
  params: strict({ provider: Provider }),
  answers: { 200: { description: 'The remaining accounts', schema: Bindings } },
  refusals: ['not_found', 'only_way_in'],
});

export const forumRoutes = { authorize, callback, forumBind, bindings, unbind };
