import { textOn } from '@gatehouse/contract/accent';

/** What the operator's site looks like in a mail. */
export interface MailBrand {
  /** Name of the site. */
  readonly name: string;
  readonly accent?: string | undefined;
  /** Absolute URL of a picture that mail programs show. */
  readonly logo?: string | undefined;
  /** Plain text below the mail, by language. */
  readonly footer?: Readonly<Record<'zh-CN' | 'en', string>> | undefined;
}

interface MailPage {
  readonly language: 'zh-CN' | 'en';
  readonly brand: MailBrand;
  /** HTML. */
  readonly content: string;
}

/** Renders a mail as self-contained HTML. */
export function mailPage({ language, brand, content }: MailPage): string {
  const { name, accent = ACCENT, logo } = brand;
  const head = logo
    ? `<img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" height="40" style="display:block;height:40px;max-width:320px">`
    : escapeHtml(name);
  return `<!doctype html>
<html lang="${language}">
<body style="margin:0;background:#f2efe9;font-family:-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif;color:#2b2520">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#fff;border-radius:12px">
<tr><td style="padding:24px 32px;background:#17130f;border-radius:12px 12px 0 0;color:${accent};font-size:18px;font-weight:600">${head}</td></tr>
<tr><td style="padding:28px 32px">
${content}
</td></tr></table>${footOf(brand, language)}</td></tr></table>
</body>
</html>
`;
}

const ACCENT = '#e9b45c';

function footOf({ footer }: MailBrand, language: 'zh-CN' | 'en'): string {
  if (!footer) return '';
  const lines = escapeHtml(footer[language]).replaceAll('\n', '<br>');
  return `\n<p style="max-width:480px;margin:16px auto 0;color:#6b6259;font-size:12px">${lines}</p>`;
}

/** Lines below a mail as plain text: the name of the site, and its footer. */
export const plainFoot = ({ name, footer }: MailBrand, language: 'zh-CN' | 'en'): string =>
  footer ? `${name}\n${footer[language]}` : name;

/** Style of a button. Without an accent it is the red of a warning. */
export function buttonStyle({ accent }: MailBrand): string {
  const colours = accent ? `background:${accent};color:${textOn(accent)}` : 'background:#8f2d1f;color:#fff';
  return `display:inline-block;padding:10px 20px;border-radius:8px;${colours};text-decoration:none`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
