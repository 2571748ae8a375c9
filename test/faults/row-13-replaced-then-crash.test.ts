import { expect, test } from 'vitest';
import type { FaultKind, Faults } from '../fakes/ports/faults.ts';
import { alice } from '../fakes/world/world.ts';
import { routes, serve, transactionOf } from './world/served.ts';

/** Ends the process at the second transaction that it sends: the first one's replacement. */
class ReplacementKilled implements Faults {
  sent = 0;
  readonly #kind: FaultKind;

  constructor(kind: FaultKind) {
    this.#kind = kind;
  }

  next(call: string): FaultKind | undefined {
    if (call !== 'chain.send') return undefined;
    return ++this.sent === 2 ? this.#kind : undefined;
  }
}

const gwei = 1_000_000_000n;
const kinds: FaultKind[] = ['killed before', 'killed after'];
const cases = routes.flatMap((route) => kinds.map((kind) => ({ route, kind })));

test.each(cases)(
  'row 13: an attempt mines although its replacement was sent by a process $kind that: $route',
  async ({ route, kind }) => {
    const faults = new ReplacementKilled(kind);
    const { world, post, until, endsByRule } = await serve(route, faults);
    const { chain } = world;
    chain.minTip = 1000n * gwei;
    const { attestation } = await post(alice, 'An article.');
    await until(() => chain.mempool.nonces().length === 1);
    // Another node has the old one, and never hears of the new.
    chain.forgetsSent = true;
    await until(() => faults.sent >= 2);
    const { attempts } = await transactionOf(world, 0);
    expect(attempts).toHaveLength(2);
    chain.minTip = 0n;
    await until(async () => (await chain.receipts()).length === 1);
    chain.forgetsSent = false;
    await endsByRule();
    const row = await world.row(attestation);
    expect(row).toMatchObject({ status: 'confirmed', commitTxHash: attempts[0]?.hash });
  },
);
