import { chainOf, fundedAccount } from '../../contracts/test/chain/chain.ts';
import { measureAuthorities, table } from '../../contracts/test/chain/gas/batch-gas.ts';
import { GasMeter, type Route } from '../../contracts/test/chain/gas/gas.ts';
import { registryOn } from '../../contracts/test/chain/registry.ts';
import { startAmsterdam } from '../fakes/rpc/amsterdam.ts';
import { type Anvil, startAnvil } from '../fakes/rpc/anvil.ts';
import type { Bench, Table } from './report.ts';

/** More than any transaction here takes at the price of state of EIP-8037. */
const ampleGas = 50_000_000n;

const nodes = [
  { rules: 'today', start: () => startAnvil(['--gas-limit', '60000000']) },
  { rules: 'EIP-8037', start: () => startAmsterdam() },
];

interface Cost {
  readonly name: string;
  readonly sentBy: Route;
  readonly gas: number;
  readonly calldataBytes?: number;
}

async function singles(sentBy: Route, meter: GasMeter): Promise<Cost[]> {
  await meter.single(sentBy, 1);
  const { commit, reveal, link, calldataBytes } = await meter.single(sentBy, 1);
  return [
    { name: 'single', sentBy, gas: commit + reveal, calldataBytes },
    { name: 'link, single', sentBy, gas: link },
  ];
}

async function batches(sentBy: Route, meter: GasMeter): Promise<Cost[]> {
  const rows = await table(meter, sentBy, 10, 48, 96);
  return [
    ...Object.entries(rows).map(([size, row]) => ({ name: `batch of ${size}`, sentBy, ...row })),
    { name: 'link, 48 of a batch in a call', sentBy, gas: rows['48'].link },
  ];
}

/** Measures attestations that are not the first of their authority and sender. */
async function measureOn(node: Anvil): Promise<Cost[]> {
  const meter = await GasMeter.start(await registryOn(chainOf(node)), ampleGas);
  const costs: Cost[] = [];
  // First the single ones: their links expect that nothing else was attested.
  for (const measure of [singles, batches])
    for (const route of ['key', 'forwarder'] as const) {
      await meter.delegate(fundedAccount(1), meter.senderOf(route));
      costs.push(...(await measure(route, meter)));
    }
  const { authorities, attestedBefore } = await measureAuthorities(meter);
  return [
    ...costs,
    { name: 'batch of 48, as many authorities', sentBy: 'forwarder', ...authorities },
    { name: 'batch of 48, digests attested by another', sentBy: 'forwarder', ...attestedBefore },
  ];
}

export async function measureGas({ log }: Bench): Promise<Table[]> {
  const measured: Cost[][] = [];
  for (const { rules, start } of nodes) {
    log(`measuring gas with the rules of ${rules}`);
    const node = await start();
    try {
      measured.push(await measureOn(node));
    } finally {
      await node.stop();
    }
  }
  const [today = [], amsterdam = []] = measured;
  return [
    {
      title: 'Gas and bytes of calldata of an attestation, commit and reveal together',
      columns: ['attestation', 'sent by', 'gas', 'gas by EIP-8037', 'calldata'],
      rows: today.map(({ name, sentBy, gas, calldataBytes }, at) => [
        ...[name, sentBy, gas, amsterdam[at]?.gas ?? Number.NaN],
        calldataBytes ?? '',
      ]),
    },
  ];
}
