import { startAmsterdam } from '../../fakes/rpc/amsterdam.ts';
import { type Anvil, startAnvil } from '../../fakes/rpc/anvil.ts';
import type { Bench, Table } from '../report/section.ts';
import { attestationCosts, type CostRow } from './attestation-costs.ts';
import { easCosts } from './eas-costs.ts';
import { fetchEas, type InitCodeOf } from './eas-package.ts';
import { floorCost } from './floor-cost.ts';
import { GasChain } from './gas-chain.ts';

const count = 48;

async function costsOn(node: Anvil, eas: InitCodeOf): Promise<CostRow[]> {
  const chain = await GasChain.open(node);
  return [
    ...(await attestationCosts(chain)),
    ...(await easCosts(chain, eas, count)),
    await floorCost(chain, count),
  ];
}

/** Measures the gas of attestations by the rules of today and by those of EIP-8037, beside EAS and the floor. */
export async function measureGas({ directory, log }: Bench): Promise<Table[]> {
  const eas = fetchEas(directory);
  const starts = [() => startAnvil(['--gas-limit', '60000000']), () => startAmsterdam()];
  const costs: CostRow[][] = [];
  for (const start of starts) {
    log('attestations of the registry and of EAS');
    const node = await start();
    try {
      costs.push(await costsOn(node, eas));
    } finally {
      await node.stop();
    }
  }
  const [today = [], amsterdam = []] = costs;
  return [
    {
      title: 'Gas and bytes of calldata of an attestation, commit and reveal together',
      columns: ['attestation', 'sent by', 'gas', 'gas by EIP-8037', 'calldata', 'compressed'],
      rows: today.map(({ name, sentBy, cost }, at) => [
        name,
        sentBy,
        cost.gas,
        amsterdam[at]?.cost.gas ?? Number.NaN,
        cost.calldata,
        cost.compressed,
      ]),
    },
  ];
}
