/** Test files share a worker: what one of them covered does not count once more for the next, or no loop ever seems endless. */
const { __stryker__: stryker } = globalThis as { __stryker__?: { mutantCoverage?: { perTest: object } } };
if (stryker?.mutantCoverage) stryker.mutantCoverage.perTest = {};
