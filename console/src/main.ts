import { askEarly } from './api/early.ts';
import { firstLanguage, loadTexts } from './i18n/first-language.ts';
import { screenOf } from './router/screens.ts';

// Small, and there long before the rest: who is logged in, what the screen shows, its script and its texts are asked
// for while the page's scripts are still on their way, because on a slow network each would wait for the one before.
const path = location.pathname.slice(import.meta.env.BASE_URL.length).replace(/\/$/, '');
const screen = screenOf(path);
const language = firstLanguage();
if (path !== 'invite') askEarly('/api/admin/me', language);
// Filters ask for something else.
if (location.search === '') for (const wanted of screen?.first ?? []) askEarly(wanted, language);

// That a part cannot be had is for the page to say, which asks for it again.
const quietly = (part: Promise<unknown>) => void part.catch(() => {});
quietly(loadTexts[language]());
if (screen) quietly(screen.component());
await import('./start.ts');
