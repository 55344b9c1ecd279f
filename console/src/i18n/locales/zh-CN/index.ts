import { common } from './common.ts';
import { overview } from './overview.ts';
import { session } from './session.ts';

export const messages = { ...common, ...session, ...overview };
