/**
 * Test files share a worker. Without this reset, each file also counts the hits of earlier files. Then Stryker's hit limit is
 * too high to detect an endless loop.
 */
const { __stryker__: stryker } = globalThis as { __stryker__?: { mutantCoverage?: { perTest: object } } };
if (stryker?.mutantCoverage) stryker.mutantCoverage.perTest = {};
