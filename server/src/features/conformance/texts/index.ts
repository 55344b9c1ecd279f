import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

export const reportLanguages = { zh: zhCN, en } as const;
export type ReportLanguage = keyof typeof reportLanguages;

export type { Area, Check, Reason, Texts } from './en.ts';
