import { askEarly } from './api/early.ts';
import { signedInHint } from './api/signed-in-hint.ts';
import { firstLanguage, loadTexts } from './i18n/first-language.ts';
import { screenOf } from './router/screens.ts';

// A small entry that loads before everything else. It requests the session, the screen's data, its script and its texts while the
// page's scripts are still loading, because on a slow network each would wait for the previous one.
const path = location.pathname.slice(import.meta.env.BASE_URL.length).replace(/\/$/, '');
const screen = screenOf(path);
const language = firstLanguage();
const mayBeSignedIn = signedInHint.get() !== null;
if (path !== 'invite' && mayBeSignedIn) askEarly('/api/admin/me', language);
// With filters the screen requests other data.
if (location.search === '' && mayBeSignedIn)
  for (const wanted of screen?.first ?? []) askEarly(wanted, language);

// Ignore failures here; the page requests the part again and reports them.
const quietly = (part: Promise<unknown>) => void part.catch(() => {});
quietly(loadTexts[language]());
if (screen) quietly(screen.component());
await import('./start.ts');
