import type { ForumProvider } from '../../integrations/forum-provider.ts';
import { Refusal } from '../../refusal.ts';
import { frontEndPath } from './front-end-path.ts';
import { newOAuthState, type OAuthState } from './oauth-state.ts';

export interface AuthorizeParts {
  /** The enabled providers. The first is the default. */
  readonly providers: readonly ForumProvider[];
}

/** Starts a login at an identity provider. Returns the URL for the browser and the state it must bring back. */
export function authorize({ providers }: AuthorizeParts) {
  return async (wanted: {
    provider?: string;
    redirect?: string;
  }): Promise<{ location: string; attempt: OAuthState }> => {
    const redirect = frontEndPath(wanted.redirect);
    const provider =
      wanted.provider === undefined ? providers[0] : providers.find(({ id }) => id === wanted.provider);
    if (!provider) throw new Refusal('not_found');
    const attempt = newOAuthState(provider.id, redirect);
    return { location: await provider.loginUrl(attempt), attempt };
  };
}
