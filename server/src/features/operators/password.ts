import { refuseWeak } from '../../security/password-policy.ts';

const POLICY = { password_min: 12, password_max: 128, refuse_common_passwords: true };

export const refuseWeakForOperators = (password: string, name: string) => refuseWeak(password, name, POLICY);
