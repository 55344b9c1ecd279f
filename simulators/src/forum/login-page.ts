import type { ForumUser } from './users.ts';

const texts = {
  zh: {
    title: '灯笼论坛',
    lead: '这是演示用的论坛。请选择一个演示用户登录，然后回到游戏平台。',
    as: '登录为',
    cancel: '取消，返回游戏平台',
    gone: '登录已过期，请回到游戏平台重新开始。',
  },
  en: {
    title: 'Lantern Forum',
    lead: 'This forum is for trying things out. Choose a demo user to log in and go back to the game.',
    as: 'Log in as',
    cancel: 'Cancel and go back',
    gone: 'This login has expired. Go back to the game and start again.',
  },
};

export type PageLanguage = keyof typeof texts;

export const pageLanguage = (acceptLanguage: string | undefined): PageLanguage =>
  /^\s*zh\b/i.test(acceptLanguage ?? '') ? 'zh' : 'en';

export function loginPage(language: PageLanguage, path: string, users: readonly ForumUser[]): string {
  const { lead, as, cancel } = texts[language];
  const buttons = users.map(
    ({ id, name }) =>
      `<button name="user" value="${escaped(id)}"><small>${as}</small> ${escaped(name)}</button>`,
  );
  return page(
    language,
    `<p>${lead}</p><form method="post" action="${path}">${buttons.join('')}</form><a href="${path}/cancel">${cancel}</a>`,
  );
}

export const gonePage = (language: PageLanguage) => page(language, `<p>${texts[language].gone}</p>`);

function page(language: PageLanguage, content: string): string {
  const { title } = texts[language];
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: light-dark(#f4efe6, #1d1a16) }
  main { box-sizing: border-box; width: min(24rem, 100vw); padding: 1.5rem }
  h1 { font-size: 1.375rem; margin: 0 0 0.5rem }
  form { display: grid; gap: 0.75rem; margin: 1.5rem 0 }
  button { font: inherit; min-height: 3rem; padding: 0.5rem 1rem; border: 1px solid #8a5a1c; border-radius: 0.6rem;
    background: light-dark(#fff, #2b261f); color: inherit; text-align: start; cursor: pointer }
  button:hover { background: light-dark(#fff4df, #3a3226) }
  a { color: light-dark(#7a4a10, #f2b65c) }
</style>
<main><h1>${title}</h1>${content}</main>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
