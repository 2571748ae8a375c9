import { writeFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { DefaultReporter, type TestModule, type TestState } from 'vitest/node';

/** Results that a run of Vitest writes for `test/run/main.ts`. */
export interface RunResults {
  readonly passed: number;
  readonly skipped: number;
  /** `project: file > title` of each test that failed, and the errors outside tests. */
  readonly failed: readonly string[];
  readonly files: readonly { readonly name: string; readonly seconds: number }[];
}

const minutes = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Time without an ended file after which a line shows the running files. */
const silenceMilliseconds = 30_000;

const nameOf = ({ project, relativeModuleId }: TestModule) => `${project.name}: ${relativeModuleId}`;

const secondsOf = (module: TestModule) => module.diagnostic().duration / 1000;

/**
 * Prints one line for each file that ends, and the running files while none ends. Then prints the failures, and writes the
 * results to `$TEST_RESULTS`.
 */
export default class ProgressReporter extends DefaultReporter {
  readonly #running = new Set<string>();
  #total = 0;
  #ended = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(...args: Parameters<DefaultReporter['onTestRunStart']>): void {
    super.onTestRunStart(...args);
    this.#total = args[0].length;
    this.#timer = setInterval(() => this.#logRunning(), silenceMilliseconds).unref();
  }

  override onTestModuleQueued(module: TestModule): void {
    super.onTestModuleQueued(module);
    this.#running.add(module.relativeModuleId);
  }

  #logRunning(): void {
    if (this.#running.size > 0) this.log(`… ${this.#position()}  ${[...this.#running].join(', ')}`);
  }

  /** Number of files that have ended, of all, and the elapsed time. */
  #position(): string {
    const elapsed = minutes(performance.now() - this.start).padStart(5);
    return `${`${this.#ended}/${this.#total}`.padStart(7)} ${elapsed}`;
  }

  protected override printTestModule(module: TestModule): void {
    this.#ended += 1;
    this.#running.delete(module.relativeModuleId);
    this.#timer?.refresh();
    const mark = module.ok() ? styleText('green', '✓') : styleText('red', '✗');
    this.log(`${mark} ${this.#position()}  ${module.relativeModuleId}  ${secondsOf(module).toFixed(1)} s`);
    for (const { fullName } of module.children.allTests('failed'))
      this.log(styleText('red', `    ${fullName}`));
  }

  override onTestRunEnd(...args: Parameters<DefaultReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(...args);
    clearInterval(this.#timer);
    const [modules, errors] = args;
    const testsThat = (state: TestState) => modules.flatMap((module) => [...module.children.allTests(state)]);
    const modulesAndSuites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failedOutsideTests = modulesAndSuites.filter((one) => one.errors().length > 0);
    const results: RunResults = {
      passed: testsThat('passed').length,
      skipped: testsThat('skipped').length,
      failed: [
        ...testsThat('failed').map((test) => `${nameOf(test.module)} > ${test.fullName}`),
        ...failedOutsideTests.map((one) =>
          one.type === 'module' ? nameOf(one) : `${nameOf(one.module)} > ${one.fullName}`,
        ),
        ...errors.map(({ message }) => `outside the tests: ${message}`),
      ],
      files: modules.map((module) => ({
        name: module.relativeModuleId,
        seconds: secondsOf(module),
      })),
    };
    const { TEST_RESULTS: path } = process.env;
    if (path !== undefined) writeFileSync(path, JSON.stringify(results));
  }
}
