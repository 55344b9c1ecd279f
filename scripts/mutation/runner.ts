import { type RunnerTestCase, TestRunner } from 'vitest';

/** Skips the tests that need a server or a browser, which the mutation run does not start. */
export default class SkippingRunner extends TestRunner {
  onTaskFinished({ result }: RunnerTestCase): void {
    if (result?.errors?.some(({ name }) => name === 'MissingProgram')) result.state = 'skip';
  }
}
