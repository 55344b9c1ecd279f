import { Type } from '@gatehouse/contract';
import type { Static } from 'typebox';

const optional = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** An identity provider: OpenID Connect by `issuer`, or plain OAuth 2.0 by its three URLs. */
export const ForumProviderSchema = Type.Object(
  {
    enabled: Type.Boolean({ default: false, description: 'whether players may log in with it' }),
    name: Type.String({ default: 'Forum', description: 'text of its button' }),
    client_id: optional('client ID that the provider assigned to this service'),
    client_secret: optional('client secret that belongs to it'),
    issuer: optional('OpenID Connect issuer; instead of the three URLs'),
    authorize_url: optional('authorization endpoint, to which the browser is sent'),
    token_url: optional('token endpoint, where the code is exchanged'),
    userinfo_url: optional('profile endpoint'),
    client_auth: Type.Enum(['auto', 'basic', 'post'], {
      default: 'auto',
      description: 'how the secret is sent; auto: as the provider declares, in the body for plain OAuth 2.0',
    }),
    scope: Type.String({ default: '', description: 'scopes to request' }),
    id_field: Type.String({
      default: 'sub',
      description: 'profile field of the ID; `user.id` for a nested one',
    }),
    name_field: Type.String({ default: 'name', description: 'profile field of the display name' }),
  },
  { additionalProperties: false, default: {} },
);

export type ForumProviderSettings = Static<typeof ForumProviderSchema>;

export interface NamedProvider extends ForumProviderSettings {
  readonly id: string;
}

/** Returns the enabled identity providers: `forum` first, then the others in file order. */
export function enabledProviders({
  forum,
  providers,
}: {
  readonly forum: ForumProviderSettings;
  readonly providers: Readonly<Record<string, ForumProviderSettings>>;
}): NamedProvider[] {
  return Object.entries({ forum, ...providers })
    .map(([id, provider]) => ({ id, ...provider }))
    .filter(({ enabled }) => enabled);
}
