/** Test files share a worker. Without this reset, the next file counts the coverage of the previous one, and no loop seems endless. */
const { __stryker__: stryker } = globalThis as { __stryker__?: { mutantCoverage?: { perTest: object } } };
if (stryker?.mutantCoverage) stryker.mutantCoverage.perTest = {};
