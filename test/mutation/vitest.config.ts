import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first failing test ends a mutant, so tests that failed for the previous mutant run first, then the quickest. */
class FailedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = (file: TestSpecification) => {
      const { failed = false, duration = 0 } = this.ctx.cache.getTestSpecificationResult(file) ?? {};
      return failed ? -1 : duration;
    };
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

const conditions = ['imprimatur-source', 'node', 'import', 'default'];

/** Tests of `npm run mutate`: the quick tests of the mutated folders that need no chain. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'test/functions/{domain,workflow}/**/*.test.ts',
      'packages/verifier/test/{chain,page,quote,reference,text,trie}/**/*.test.ts',
    ],
    // This test reads the code, which Stryker changes.
    exclude: ['test/functions/domain/call-depth.test.ts'],
    isolate: false,
    setupFiles: ['test/mutation/own-coverage.ts'],
    testTimeout: 60_000,
    sequence: { sequencer: FailedFirst },
  },
});
