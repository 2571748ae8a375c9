import { beforeAll, beforeEach } from 'vitest';
import { startChain, type TestChain } from './chain.ts';

export let chain: TestChain;

/** Starts a chain for the tests of a file, and reverts the changes of each test before the next one. */
export function useChain(): void {
  beforeAll(async () => {
    chain = await startChain();
    return () => chain.stop();
  });
  beforeEach(async () => {
    const id = await chain.client.snapshot();
    return () => chain.client.revert({ id });
  });
}
