import { buttonStyle, escapeHtml, type MailBrand, mailPage, plainFoot } from './mail-page.ts';

/** An event a player is notified of by mail. */
export type Notice =
  | {
      readonly kind: 'password';
      /** Linked accounts at providers that can log in to this one; `ended` if they were unlinked with the old password. */
      readonly linked?: { readonly accounts: readonly string[]; readonly ended: boolean };
    }
  | { readonly kind: 'two_factor_on' | 'two_factor_off' | 'recovery_codes' | 'wrong_codes' | 'signed_out' }
  | { readonly kind: 'unlinked'; readonly provider: string }
  /** Goes to the address that the account had before. */
  | { readonly kind: 'email'; readonly email: string }
  | {
      readonly kind: 'linked';
      readonly provider: string;
      /** Present if a game server made the link; `unconfirmed` if its first login still asks for the password. */
      readonly gameServer?: { readonly connectId: string; readonly unconfirmed: boolean };
    }
  | {
      readonly kind: 'withdrawal';
      readonly withdrawId: string;
      readonly amount: number;
      /** The name of the zone. */
      readonly zone: string;
      readonly role: string | number;
    }
  | { readonly kind: 'deletion'; readonly deletionAt: string };

export interface NoticeMailContent {
  readonly notice: Notice;
  readonly account: string;
  /** When it happened, in the reader's format. */
  readonly time: string;
  /** Client address; undefined if no request of the player's caused it. */
  readonly address: string | undefined;
  readonly language: string | undefined;
  readonly brand: MailBrand;
  readonly currency: string;
  /** Where a player who did not do this can recover the account. */
  readonly notMeUrl: string;
  /** Where a player can remove the account's bindings. */
  readonly bindingsUrl: string;
}

type NoticeOf<K extends Notice['kind']> = Extract<Notice, { readonly kind: K }>;
type Lines = { readonly [K in Notice['kind']]: (notice: NoticeOf<K>, currency: string) => string };

interface Texts {
  readonly subjects: Readonly<Record<Notice['kind'], string>>;
  readonly subject: (game: string, what: string) => string;
  readonly lead: (account: string) => string;
  readonly lines: Lines;
  readonly when: (time: string, address: string) => string;
  readonly byRecovery: (time: string) => string;
  readonly byOperator: (time: string) => string;
  readonly byGameServer: (time: string) => string;
  readonly linkedEnded: (accounts: string) => string;
  readonly linkedKept: (accounts: string) => string;
  readonly separator: string;
  readonly wasMe: string;
  readonly notMe: string;
  readonly button: string;
}

const texts: Record<'zh-CN' | 'en', Texts> = {
  'zh-CN': {
    subject: (game, what) => `${game}：${what}`,
    subjects: {
      password: '密码已修改',
      email: '邮箱已更换',
      two_factor_on: '两步验证已开启',
      two_factor_off: '两步验证已关闭',
      recovery_codes: '恢复码已更新',
      wrong_codes: '验证码输错次数过多',
      linked: '已绑定第三方账号',
      unlinked: '已解除绑定第三方账号',
      signed_out: '已退出所有设备',
      withdrawal: '提现通知',
      deletion: '账号将被删除',
    },
    lead: (account) => `您的账号 ${account} 有如下变动：`,
    lines: {
      password: () => '密码已修改，其他设备上的登录均已失效。',
      email: ({ email }) => `邮箱已更换为 ${email}。今后的邮件将发送到新邮箱。`,
      two_factor_on: () => '两步验证已开启，今后登录和提现都需要动态验证码。',
      two_factor_off: () => '两步验证已关闭，今后登录只需密码。',
      recovery_codes: () => '两步验证的恢复码已更新，旧的恢复码不能再使用。',
      linked: ({ provider, gameServer }) => {
        if (!gameServer) return `已绑定第三方账号（${provider}），今后可以用它登录。`;
        const named = `游戏服务器为您绑定了第三方账号（${provider}：${gameServer.connectId}）`;
        return gameServer.unconfirmed
          ? `${named}。首次用它登录时需要输入此账号的密码。如非本人账号，请登录后在“账号绑定”中解除。`
          : `${named}，今后可以用它登录。如非本人账号，请登录后在“账号绑定”中解除。`;
      },
      unlinked: ({ provider }) => `已解除绑定第三方账号（${provider}），不能再用它登录。`,
      signed_out: () => '已在其他所有设备上退出登录，密码未变。',
      wrong_codes: () => '今天有人多次输错发往您邮箱的验证码。明天之前，只接受从您常用 IP 地址输入的验证码。',
      withdrawal: ({ amount, zone, role, withdrawId }, currency) =>
        `角色“${role}”（${zone}）提现 ${amount} ${currency}，单号：${withdrawId}。`,
      deletion: ({ deletionAt }) =>
        `您已申请删除账号，账号及其资料将于 ${deletionAt} 彻底删除，无法恢复。在此之前登录即可取消。`,
    },
    when: (time, address) => `时间：${time}，IP 地址：${address}`,
    byRecovery: (time) => `时间：${time}`,
    byOperator: (time) => `时间：${time}，由客服操作`,
    byGameServer: (time) => `时间：${time}，由游戏服务器操作`,
    linkedEnded: (accounts) => `以下第三方账号已解除绑定，不能再登录此账号：${accounts}。`,
    linkedKept: (accounts) => `以下第三方账号仍可登录此账号：${accounts}。如有不是您本人绑定的，请在此解除：`,
    separator: '、',
    wasMe: '如是本人操作，请忽略此邮件。',
    notMe: '如非本人操作，请立即重置密码，所有设备将退出登录：',
    button: '不是我本人操作',
  },
  en: {
    subject: (game, what) => `${game}: ${what}`,
    subjects: {
      password: 'your password was changed',
      email: 'your e-mail address was changed',
      two_factor_on: 'two-factor login was turned on',
      two_factor_off: 'two-factor login was turned off',
      recovery_codes: 'your recovery codes were replaced',
      wrong_codes: 'too many wrong codes',
      linked: 'an account was linked',
      unlinked: 'an account was unlinked',
      signed_out: 'all other devices were signed out',
      withdrawal: 'a withdrawal',
      deletion: 'your account will be deleted',
    },
    lead: (account) => `There was a change to your account ${account}:`,
    lines: {
      password: () => 'The password was changed and all other devices were signed out.',
      email: ({ email }) => `The e-mail address was changed to ${email}. Future mails will be sent there.`,
      two_factor_on: () =>
        'Two-factor login was turned on. You now need a one-time code to log in and to withdraw.',
      wrong_codes: () =>
        'Someone entered too many wrong verification codes for your e-mail address today. Until tomorrow, codes are accepted only from the IP addresses you usually play from.',
      recovery_codes: () =>
        'The recovery codes of your two-factor login were replaced. The old ones no longer work.',
      two_factor_off: () => 'Two-factor login was turned off. The password alone is now enough to log in.',
      linked: ({ provider, gameServer }) => {
        if (!gameServer) return `An account at ${provider} was linked and can now be used to log in.`;
        const named = `A game server linked the account ${gameServer.connectId} at ${provider}`;
        return gameServer.unconfirmed
          ? `${named}. The first login with it asks for the password of this account. If it is not yours, unlink it on your account page.`
          : `${named}. It can now be used to log in. If it is not yours, unlink it on your account page.`;
      },
      unlinked: ({ provider }) =>
        `The account at ${provider} was unlinked and can no longer be used to log in.`,
      signed_out: () => 'All other devices were signed out. The password is unchanged.',
      withdrawal: ({ amount, zone, role, withdrawId }, currency) =>
        `${amount} ${currency} were withdrawn from “${role}” (${zone}). Withdrawal ID: ${withdrawId}`,
      deletion: ({ deletionAt }) =>
        `You asked us to delete your account. The account and its data will be erased on ${deletionAt} and cannot be restored. Log in before then to cancel.`,
    },
    when: (time, address) => `Time: ${time}, IP address: ${address}`,
    byRecovery: (time) => `Time: ${time}`,
    byOperator: (time) => `Time: ${time}, changed by our support team`,
    byGameServer: (time) => `Time: ${time}, changed by a game server`,
    linkedEnded: (accounts) => `These linked accounts were unlinked and can no longer log in: ${accounts}.`,
    linkedKept: (accounts) =>
      `These linked accounts can still log in: ${accounts}. If one of them is not yours, unlink it here:`,
    separator: ', ',
    wasMe: 'If this was you, you don’t need to do anything.',
    notMe: 'If this was not you, reset your password now. This signs out all devices:',
    button: 'This was not me',
  },
};

/** Renders the mail about an account change as text and HTML. */
export function noticeMail(content: NoticeMailContent) {
  const { notice, account, time, address, language, brand, currency, notMeUrl } = content;
  const chosen = language === 'en' ? 'en' : 'zh-CN';
  const { subject, subjects, lead, wasMe, notMe, button, lines, ...origin } = texts[chosen];
  const when = address === undefined ? sourceOf(notice, origin)(time) : origin.when(time, address);
  const line = lineOf(lines, notice, currency);
  const linked = linkedOf(content, texts[chosen]);
  const link = escapeHtml(notMeUrl);
  const foot = plainFoot(brand, chosen);
  return {
    subject: subject(brand.name, subjects[notice.kind]),
    text: [lead(account), '', line, when, '', ...linked.text, wasMe, notMe, '', notMeUrl, '', foot].join(
      '\n',
    ),
    html: mailPage({
      language: chosen,
      brand,
      content: `<p style="margin:0 0 12px">${escapeHtml(lead(account))}</p>
<p style="margin:0 0 12px;font-weight:600">${escapeHtml(line)}</p>
<p style="margin:0 0 20px;color:#7a7068;font-size:13px">${escapeHtml(when)}</p>
${linked.html}<p style="margin:0 0 8px">${wasMe}</p>
<p style="margin:0 0 20px">${notMe}</p>
<p style="margin:0"><a href="${link}" style="${buttonStyle(brand)}">${button}</a></p>`,
    }),
  };
}

function sourceOf(
  notice: Notice,
  { byGameServer, byOperator, byRecovery }: Pick<Texts, 'byGameServer' | 'byOperator' | 'byRecovery'>,
) {
  if (notice.kind === 'withdrawal') return byRecovery;
  return notice.kind === 'linked' && notice.gameServer ? byGameServer : byOperator;
}

/** Renders the lines about linked accounts; empty if there are none. */
function linkedOf({ notice, bindingsUrl }: NoticeMailContent, words: Texts) {
  const linked = notice.kind === 'password' ? notice.linked : undefined;
  if (!linked) return { text: [], html: '' };
  const accounts = linked.accounts.join(words.separator);
  const said = linked.ended ? words.linkedEnded(accounts) : words.linkedKept(accounts);
  const link = escapeHtml(bindingsUrl);
  const anchor = linked.ended ? '' : ` <a href="${link}" style="color:#8f2d1f">${link}</a>`;
  return {
    text: [said, ...(linked.ended ? [] : [bindingsUrl]), ''],
    html: `<p style="margin:0 0 20px">${escapeHtml(said)}${anchor}</p>\n`,
  };
}

function lineOf<K extends Notice['kind']>(
  lines: Lines,
  notice: NoticeOf<K> & { readonly kind: K },
  currency: string,
): string {
  return (lines[notice.kind] as (notice: NoticeOf<K>, currency: string) => string)(notice, currency);
}
