import { chainOf } from '../../contracts/test/chain/chain.ts';
import { BatchSender, forwardedAuthorities } from '../../contracts/test/chain/gas/batch-gas.ts';
import { GasMeter, type GasRow } from '../../contracts/test/chain/gas/gas.ts';
import { author, platform, registryOn } from '../../contracts/test/chain/registry.ts';
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
  readonly sentBy: string;
  readonly gas: number;
  readonly calldataBytes?: number;
}

function single(sentBy: string, { commit, reveal, link, calldataBytes }: GasRow): Cost[] {
  return [
    { name: 'single', sentBy, gas: commit + reveal, calldataBytes },
    { name: 'link, single', sentBy, gas: link },
  ];
}

async function batches(sentBy: string, sender: BatchSender): Promise<Cost[]> {
  const table = await sender.table(10, 48, 96);
  return [
    ...Object.entries(table).map(([size, row]) => ({ name: `batch of ${size}`, sentBy, ...row })),
    { name: 'link, 48 of a batch in a call', sentBy, gas: table['48'].link },
  ];
}

/** Measures attestations that are not the first of their authority and sender. */
async function measureOn(node: Anvil): Promise<Cost[]> {
  const meter = await GasMeter.start(await registryOn(chainOf(node)), ampleGas);
  await meter.delegateAuthor(platform);
  await meter.direct();
  const byKey = single('key', await meter.direct());
  await meter.delegateAuthor(meter.forwarder);
  await meter.forwarded(1);
  const byForwarder = single('forwarder', await meter.forwarded(1));
  await meter.delegateAuthor(platform);
  byKey.push(...(await batches('key', new BatchSender(meter, false))));
  await meter.delegateAuthor(meter.forwarder);
  const forwarder = new BatchSender(meter, true);
  byForwarder.push(...(await batches('forwarder', forwarder)));
  const owners = await forwardedAuthorities(meter);
  const attestedBefore = await forwarder.attestedBefore(48, owners[0] ?? author);
  return [
    ...byKey,
    ...byForwarder,
    {
      ...{ name: 'batch of 48, as many authorities', sentBy: 'forwarder' },
      ...(await forwarder.ofAuthorities(owners)),
    },
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
