import { expect } from 'vitest';
import type { RealWorld } from '../../fakes/real/real-world.ts';
import { rowsOf } from './rule.ts';

/** That there are so many attestations, each of them confirmed. */
export async function expectAllConfirmed(world: RealWorld, count: number): Promise<void> {
  const statuses = (await rowsOf(world)).map(({ status }) => status);
  expect(statuses).toEqual(Array(count).fill('confirmed'));
}
