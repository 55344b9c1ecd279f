import type { CodePurpose } from '@gatehouse/contract';
import { escapeHtml, type MailBrand, mailPage, plainFoot } from './mail-page.ts';

interface CodeMailContent {
  readonly code: string;
  readonly lifetime: number;
  readonly purpose?: CodePurpose | undefined;
  readonly language: string;
  readonly brand: MailBrand;
}

interface Texts {
  readonly subject: (game: string) => string;
  readonly greeting: string;
  readonly lead: (game: string) => string;
  /** Replaces `lead` if the purpose of the code is known. */
  readonly leads: Readonly<Record<CodePurpose, (game: string) => string>>;
  readonly validity: (seconds: number) => string;
  readonly warning: string;
}

const texts: Record<'zh-CN' | 'en', Texts> = {
  'zh-CN': {
    subject: (game) => `${game} 验证码`,
    greeting: '您好！',
    lead: (game) => `您正在操作 ${game} 账号，验证码为：`,
    leads: {
      register: (game) => `您正在注册 ${game} 账号，验证码为：`,
      reset: (game) => `您正在重置 ${game} 账号的密码，验证码为：`,
      email: (game) => `您正在将此邮箱绑定到 ${game} 账号，验证码为：`,
      delete: (game) => `您正在申请删除 ${game} 账号，验证码为：`,
    },
    validity: (seconds) => `验证码 ${seconds} 秒内有效，仅可使用一次。`,
    warning: '如非本人操作，请忽略此邮件，切勿将验证码告知他人。',
  },
  en: {
    subject: (game) => `Your ${game} verification code`,
    greeting: 'Hello!',
    lead: (game) => `Your verification code for ${game} is:`,
    leads: {
      register: (game) => `Your code to register with ${game} is:`,
      reset: (game) => `Your code to set a new ${game} password is:`,
      email: (game) => `Your code to use this address with your ${game} account is:`,
      delete: (game) => `Your code to delete your ${game} account is:`,
    },
    validity: (seconds) => `It is valid for ${seconds} seconds and can be used once.`,
    warning: 'If you did not request it, ignore this mail. Never share the code with anyone.',
  },
};

/** Renders the mail with a verification code as text and as self-contained HTML. */
export function codeMail({ code, lifetime, purpose, language, brand }: CodeMailContent) {
  const { name } = brand;
  const chosen = language === 'en' ? 'en' : 'zh-CN';
  const { subject, greeting, validity, warning, ...leading } = texts[chosen];
  const lead = purpose === undefined ? leading.lead : leading.leads[purpose];
  return {
    subject: subject(name),
    text: [
      greeting,
      '',
      lead(name),
      '',
      `    ${code}`,
      '',
      validity(lifetime),
      warning,
      '',
      plainFoot(brand, chosen),
    ].join('\n'),
    html: mailPage({
      language: chosen,
      brand,
      content: `<p style="margin:0 0 8px">${greeting}</p>
<p style="margin:0 0 20px">${lead(escapeHtml(name))}</p>
<p style="margin:0 0 20px;font-size:34px;letter-spacing:8px;font-weight:700;font-family:Consolas,Menlo,monospace">${code}</p>
<p style="margin:0 0 8px">${validity(lifetime)}</p>
<p style="margin:0;color:#7a7068;font-size:13px">${warning}</p>`,
    }),
  };
}
