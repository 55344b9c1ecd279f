import type { Problem } from './problems.ts';

/** Carries all problems, so that an operator can fix the file in one go. */
export class BadSettings extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ setting, message }) => `${setting}: ${message}`).join('\n'));
    this.name = 'BadSettings';
    this.problems = problems;
  }
}
