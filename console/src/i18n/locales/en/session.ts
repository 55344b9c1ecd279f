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
    codeLead: 'Enter the six-digit code from your authenticator app.',
    code: 'Code',
    codeHint: 'Don’t have it with you? Use a recovery code.',
    back: 'Log in as someone else',
    signedOut: ({ named }) =>
      `You were signed out at ${named('time')} because your session expired or your role changed. Log in to pick up where you left off.`,
  },
  invite: {
    title: 'Accept the invitation',
    lead: 'Choose a password for logging in to the console.',
    password: 'Password',
    passwordHint: '12 to 128 characters; not a common password and not your name.',
    again: 'Repeat password',
    differs: 'The passwords do not match.',
    submit: 'Set password and log in',
    spent: 'This invitation has been used, has expired or is incomplete. Ask an admin for a new one.',
    toLogin: 'Already have a password? Log in',
  },
  totp: {
    title: 'Set up two-factor login',
    lead: 'Operators must use two-factor login here. Set it up to continue.',
    install: 'Open an authenticator app on your phone, such as Aegis, Google Authenticator or 1Password.',
    scan: 'Scan this QR code with the app:',
    qr: 'QR code for two-factor login',
    byHand: 'Can’t scan it? Enter this key:',
    enter: 'Enter the six-digit code the app shows.',
    code: 'Six-digit code',
    submit: 'Turn on two-factor login',
    on: 'Two-factor login is on.',
    recovery:
      'These recovery codes are shown once. If you lose your phone, each one works once in place of a code from the app.',
    download: 'Download the codes',
    kept: 'I have saved them in a safe place',
    goOn: 'Continue',
  },
  account: {
    title: 'My account',
    password: 'Password',
    oldPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
    passwordDone: 'Your password has been changed and your other sessions have ended.',
    totp: 'Two-factor login',
    totpOn: 'On',
    totpOff: 'Off',
    totpText:
      'You need a code from your authenticator app as well as your password to log in, so a stolen password alone is useless.',
    setUp: 'Set up two-factor login',
    remove: 'Turn off two-factor login',
    removeText:
      'After that the password alone is enough to log in. If the platform requires two-factor login, you have to set it up again immediately.',
    removed: 'Two-factor login is off.',
    permissions: 'Role and permissions',
  },
};
