import type { ForumProvider } from '../../integrations/forum-provider.ts';
import { Refusal } from '../../refusal.ts';
import { frontEndPath } from './front-end-path.ts';
import { newOAuthState, type OAuthState } from './oauth-state.ts';

export interface AuthorizeParts {
  /** Those that players may use; the first is the one meant when none is named. */
  readonly providers: readonly ForumProvider[];
}

/** Begins a login at an identity provider: where to send the browser, and what it must bring back. */
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
