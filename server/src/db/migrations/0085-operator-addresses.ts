import { longText, optional } from '../ddl.ts';

/** Addresses of an operator's earlier logins, a JSON list, newest first: a flood of logins must not keep the operator out there. */
export const operatorAddresses = {
  name: '0085-operator-addresses',
  extensions: [{ table: 'operator', columns: { login_ips: optional(longText) } }],
} as const;
