import { Type } from '@gatehouse/contract';
import type { Static } from 'typebox';

const optional = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** An identity provider: OpenID Connect by `issuer`, or plain OAuth 2.0 by its three URLs. */
export const ForumProviderSchema = Type.Object(
  {
    enabled: Type.Boolean({ default: false, description: 'whether players may log in with it' }),
    name: Type.String({ default: 'Forum', description: 'text of its button' }),
    client_id: optional('what the provider knows this service as'),
    client_secret: optional('the secret that goes with it'),
    issuer: optional('OpenID Connect issuer; instead of the three URLs'),
    authorize_url: optional('where the browser is sent'),
    token_url: optional('where the code is exchanged'),
    userinfo_url: optional('where the profile is read'),
    client_auth: Type.Enum(['auto', 'basic', 'post'], {
      default: 'auto',
      description: 'how the secret is presented; auto: as the provider says, in the body for plain OAuth 2.0',
    }),
    scope: Type.String({ default: '', description: 'scopes to ask for' }),
    id_field: Type.String({
      default: 'sub',
      description: 'profile field with the id; `user.id` for nested ones',
    }),
    name_field: Type.String({ default: 'name', description: 'profile field with a readable name' }),
  },
  { additionalProperties: false, default: {} },
);

export type ForumProviderSettings = Static<typeof ForumProviderSchema>;
