import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { type Failure, type FileResult, RESULTS_FILE, type RunResults, summaryLine } from './results.ts';

const root = `${import.meta.dirname}/..`;
/** Without a terminal, a line is printed after this many files to show progress. */
const FILES_PER_LINE = 20;

/**
 * Prints one progress line, each failure as soon as its file has ended, and last "N passed, N failed". Under `scripts/test.ts` the
 * results go into a file instead, and the runner prints that line.
 */
export default class RunReporter implements Reporter {
  #vitest: Vitest | undefined;
  #results: RunResults | undefined;
  #files = 0;
  #filesDone = 0;
  #passed = 0;
  readonly #failures: Failure[] = [];
  #skipped = 0;
  readonly #notTried: Record<string, number> = {};
  readonly #fileResults: FileResult[] = [];
  readonly #began = Date.now();

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    // Tear-down still prints after the last test, so the line is printed on exit.
    process.once('exit', (code) => this.#finish(code));
  }

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#files = specifications.length;
  }

  onTestModuleEnd(module: TestModule): void {
    const file = relative(root, module.moduleId);
    const tests = [...module.children.allTests()];
    const { duration, collectDuration } = module.diagnostic();
    this.#fileResults.push({
      file,
      project: module.project.name,
      tests: tests.length,
      seconds: (duration + collectDuration) / 1000,
    });
    for (const each of [module, ...module.children.allSuites(), ...tests]) this.#count(each, file);
    this.#filesDone++;
    this.#showProgress(file);
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    for (const error of unhandledErrors) {
      const path = typeof error.VITEST_TEST_PATH === 'string' ? error.VITEST_TEST_PATH : undefined;
      this.#fail({ file: path && relative(root, path), name: 'outside of a test' }, [error]);
    }
    this.#results = {
      passed: this.#passed,
      skipped: this.#skipped,
      failures: this.#failures,
      notTried: this.#notTried,
      files: this.#fileResults,
    };
  }

  #count(entity: TestModule | TestSuite | TestCase, file: string): void {
    const name = entity.type === 'module' ? 'the file itself' : entity.fullName;
    if (entity.type !== 'test') {
      const errors = entity.errors();
      if (errors.length > 0 && !errors.every(missingProgram)) this.#fail({ file, name }, errors);
      return;
    }
    const { state, errors = [] } = entity.result();
    const program = errors.map(missingProgram)[0] ?? missingAbove(entity);
    if (state === 'passed') this.#passed++;
    else if (program !== undefined) this.#notTried[program] = (this.#notTried[program] ?? 0) + 1;
    else if (state === 'skipped') this.#skipped++;
    // A test without a result did not pass.
    else this.#fail({ file, name }, errors);
  }

  #fail({ file, name }: Pick<Failure, 'file' | 'name'>, errors: readonly SerializedError[]): void {
    const error = errors[0]?.message ?? 'it never ended';
    this.#failures.push({ file, name, error });
    this.#vitest?.logger.error(`\n FAIL  ${file ?? ''} > ${name}`);
    for (const each of errors) this.#vitest?.logger.printError(each);
  }

  #showProgress(file: string): void {
    const seconds = Math.round((Date.now() - this.#began) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const failed = this.#failures.length;
    const line = `${time}  ${this.#filesDone}/${this.#files} files, ${summaryLine({ passed: this.#passed, failed })}`;
    if (process.stdout.isTTY) {
      const text = `${line}  ${file}`.slice(0, process.stdout.columns - 1);
      process.stdout.write(`\r\u001b[K${text}${this.#filesDone === this.#files ? '\n' : ''}`);
    } else if (this.#filesDone % FILES_PER_LINE === 0 || this.#filesDone === this.#files) {
      process.stdout.write(`${line}\n`);
    }
  }

  #finish(exitCode: number): void {
    const target = process.env[RESULTS_FILE];
    if (target !== undefined) {
      if (this.#results) writeFileSync(target, JSON.stringify(this.#results));
      return;
    }
    const { passed = 0, skipped = 0, failures = [] } = this.#results ?? {};
    const failed = exitCode === 0 ? failures.length : Math.max(failures.length, 1);
    process.stdout.write(`${summaryLine({ passed, failed, skipped })}\n`);
  }
}

/** Returns the missing program that caused this error, if the runner allows it to be missing. */
function missingProgram(error: SerializedError): string | undefined {
  for (let each: unknown = error; each instanceof Object; each = 'cause' in each ? each.cause : undefined) {
    const { name, program } = each as { name?: unknown; program?: unknown };
    if (name === 'MissingProgram' && typeof program === 'string')
      return process.env.TEST_WITHOUT?.split(',').includes(program) ? program : undefined;
  }
  return undefined;
}

/** Returns the missing program of an enclosing suite: a failing hook skips the tests below it. */
function missingAbove(test: TestCase): string | undefined {
  for (let each: TestCase | TestSuite | TestModule = test; each.type !== 'module'; ) {
    each = each.parent;
    const program = each.errors().map(missingProgram)[0];
    if (program !== undefined) return program;
  }
  return undefined;
}
