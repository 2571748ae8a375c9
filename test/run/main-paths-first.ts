import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { mainPaths } from './main-paths.ts';

/** Starts the tests of `npm test` before the other tests on the stack. */
export class MainPathsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isMain = ({ moduleId }: TestSpecification) => mainPaths.some((path) => moduleId.endsWith(path));
    return [...sorted.filter(isMain), ...sorted.filter((file) => !isMain(file))];
  }
}
