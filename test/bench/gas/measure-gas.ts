import { startAmsterdam } from '../../fakes/rpc/amsterdam.ts';
import { type Anvil, startAnvil } from '../../fakes/rpc/anvil.ts';
import type { Bench, Cell, Table } from '../report/section.ts';
import { attestationCosts, type CostRow } from './attestation-costs.ts';
import { easCosts } from './eas-costs.ts';
import { fetchEas, type InitCodeOf } from './eas-package.ts';
import { floorCost } from './floor-cost.ts';
import { GasChain } from './gas-chain.ts';
import { limitColumns, revealLimits } from './reveal-limits.ts';

const count = 48;

/** Blocks large enough to deploy EAS by the rules of EIP-8037. */
const chains = [
  { rules: 'today', start: () => startAnvil(['--gas-limit', '60000000']) },
  { rules: 'EIP-8037', start: () => startAmsterdam() },
];

interface Measured {
  readonly costs: readonly CostRow[];
  readonly limits: readonly Cell[][];
}

async function measureOn({ url }: Anvil, rules: string, eas: InitCodeOf): Promise<Measured> {
  const chain = await GasChain.open(url);
  const attestations = await attestationCosts(chain);
  const others = [...(await easCosts(chain, eas, count)), await floorCost(chain, count)];
  return { costs: [...attestations, ...others], limits: await revealLimits(chain, rules) };
}

function costTable([today, amsterdam]: readonly Measured[]): Table {
  const rows = (today?.costs ?? []).map(({ name, sentBy, cost }, at) => [
    name,
    sentBy,
    cost.gas,
    amsterdam?.costs[at]?.cost.gas ?? Number.NaN,
    cost.calldata,
    cost.compressed,
  ]);
  const columns = ['attestation', 'sent by', 'gas', 'gas by EIP-8037', 'calldata', 'compressed'];
  return { title: 'Gas and bytes of calldata of an attestation, commit and reveal together', columns, rows };
}

/** Measures the gas of attestations by the rules of today and by those of EIP-8037, beside EAS and the floor. */
export async function measureGas({ directory, log }: Bench): Promise<Table[]> {
  const eas = fetchEas(directory);
  const measured: Measured[] = [];
  for (const { rules, start } of chains) {
    log(`attestations of the registry and of EAS, rules of ${rules}`);
    const node = await start();
    try {
      measured.push(await measureOn(node, rules, eas));
    } finally {
      await node.stop();
    }
  }
  const limits = {
    title: 'Gas limits of a reveal whose digests another attests between estimate and block',
    columns: limitColumns,
    rows: measured.flatMap((one) => one.limits),
  };
  return [costTable(measured), limits];
}
