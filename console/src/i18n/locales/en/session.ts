import type { Shape } from '../../messages.ts';
import type { session as zhCN } from '../zh-CN/session.ts';

export const session: Shape<typeof zhCN> = {
  login: {
    title: 'Log in to the console',
    name: 'Operator',
    password: 'Password',
    submit: 'Log in',
    busy: 'Logging in',
    codeTitle: 'Two-factor login',
    codeLead: 'Enter the six digits that your authenticator shows now.',
    code: 'Code',
    codeHint: 'Without it, one of your recovery codes will do.',
    back: 'Log in as somebody else',
    signedOut: ({ named }) =>
      `You were signed out at ${named('time')}: the session ran out, or your role changed. Log in to go on where you were.`,
  },
  invite: {
    title: 'Accept the invitation',
    lead: 'Choose a password; you will log in to the console with it.',
    password: 'Password',
    passwordHint: '12 to 128 characters, not a common password, not your name.',
    again: 'Once more',
    differs: 'The two are not the same.',
    submit: 'Set password and log in',
    spent: 'This invitation was used, is too old or incomplete. Ask an admin for another one.',
    toLogin: 'You have a password? Log in',
  },
  totp: {
    title: 'Set up two-factor login',
    lead: 'Operators need two-factor login here before anything else.',
    install: 'Open an authenticator on your phone: Aegis, Google Authenticator, 1Password or another.',
    scan: 'Scan this code with it:',
    qr: 'QR code for two-factor login',
    byHand: 'You cannot scan it? Enter this key by hand:',
    enter: 'Enter the six digits it shows.',
    code: 'Six digits',
    submit: 'Turn two-factor login on',
    on: 'Two-factor login is on.',
    recovery:
      'These recovery codes are shown once. Should you lose your phone, each is good once in place of a code.',
    download: 'Download the codes',
    kept: 'I keep them in a safe place',
    goOn: 'Go on',
  },
  account: {
    title: 'My account',
    password: 'Password',
    oldPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
    passwordDone: 'The password is changed; your other sessions have ended.',
    totp: 'Two-factor login',
    totpOn: 'On',
    totpOff: 'Off',
    totpText:
      'A login takes a code of your authenticator beside the password: a stolen password alone is worth nothing.',
    setUp: 'Set up two-factor login',
    remove: 'Turn two-factor login off',
    removeText:
      'From then on the password alone is enough. Where two-factor login is required you have to set it up again at once.',
    removed: 'Two-factor login is off.',
    permissions: 'Role and permissions',
  },
};
