import { beforeAll, beforeEach } from 'vitest';
import { type RegistryFixture, startRegistry } from './registry.ts';

/** The registry of the current file or test, on its own chain. */
export let registry: RegistryFixture;

/** Starts a chain with the registry for the tests of a file, or for each test. @param options of anvil */
export function useRegistry(lifetime: 'file' | 'test' = 'file', options: readonly string[] = []): void {
  (lifetime === 'file' ? beforeAll : beforeEach)(async () => {
    registry = await startRegistry(options);
    return () => registry.stop();
  });
}
