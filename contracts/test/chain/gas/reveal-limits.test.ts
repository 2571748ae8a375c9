import { expect, onTestFinished, test } from 'vitest';
import { GasChain } from '../../../../test/bench/gas/gas-chain.ts';
import { limitColumns, revealLimits } from '../../../../test/bench/gas/reveal-limits.ts';
import { startAmsterdam } from '../../../../test/fakes/rpc/amsterdam.ts';
import { startAnvil } from '../../../../test/fakes/rpc/anvil.ts';

/** Blocks in which a batch fits by the rules of EIP-8037 as well. */
const nodes = [
  { rules: 'today', start: () => startAnvil(['--gas-limit', '60000000']) },
  { rules: 'EIP-8037', start: () => startAmsterdam() },
];

test.each(nodes)(
  'the service’s gas limit carries a reveal although others attest all its digests before its block: $rules',
  async ({ rules, start }) => {
    const node = await start();
    onTestFinished(node.stop);
    const rows = await revealLimits(await GasChain.open(node.url), rules);
    const suffices = limitColumns.indexOf('the service’s suffices');
    expect(rows.map((row) => row[suffices])).toEqual(rows.map(() => 'yes'));
    expect(rows).toHaveLength(6);
  },
  120_000,
);
