import { accountStates } from './account.ts';
import { authStates } from './auth.ts';
import { homeStates } from './home.ts';
import { badGateway, type PageState } from './page-state.ts';
import { siteStates } from './site.ts';
import { withdrawStates } from './withdraw.ts';

export type { PageState } from './page-state.ts';

const otherStates: PageState[] = [
  { name: 'agree', wide: true, path: '/agree', shows: 'iframe' },
  {
    name: 'agree-down',
    path: '/agree',
    answers: { 'GET /api/misc/agree': badGateway },
    shows: '.trouble',
    failing: true,
  },
  { name: 'not-found', wide: true, path: '/no/such/street', shows: 'main h1' },
];

export const pageStates: PageState[] = [
  ...authStates,
  ...homeStates,
  ...withdrawStates,
  ...accountStates,
  ...otherStates,
  ...siteStates,
];
