import { chainOf, fundedAccount } from '../../contracts/test/chain/chain.ts';
import { measureAuthorities, table } from '../../contracts/test/chain/gas/batch-gas.ts';
import { GasMeter } from '../../contracts/test/chain/gas/gas.ts';
import { registryOn } from '../../contracts/test/chain/registry.ts';
import { startAmsterdam } from '../fakes/rpc/amsterdam.ts';
import type { Bench, Table } from './report.ts';

/** More gas than any transaction here uses with the storage prices of EIP-8037. */
const ampleGas = 50_000_000n;

/** Measures the gas of attestations by EIP-8037. Today's gas is in contracts/gas-snapshot.json. */
export async function measureGas({ log }: Bench): Promise<Table[]> {
  log('measuring gas with the rules of EIP-8037');
  const node = await startAmsterdam();
  try {
    const meter = await GasMeter.start(await registryOn(chainOf(node)), ampleGas);
    await meter.delegate(fundedAccount(1), meter.senderOf('key'));
    // The first attestation of a registry costs more.
    await meter.measureCalls('key', 1);
    const { commit, reveal, link } = await meter.measureCalls('key', 1);
    await meter.delegate(fundedAccount(1), meter.senderOf('forwarder'));
    const { 48: batch } = await table(meter, 'forwarder', 48);
    const { authorities, attestedBefore } = await measureAuthorities(meter);
    return [
      {
        title: 'Gas of an attestation by EIP-8037, commit and reveal together',
        columns: ['attestation', 'gas', 'link'],
        rows: [
          ['single, by the key', commit + reveal, link],
          ['batch of 48, by the forwarder', batch.gas, batch.link],
          ['the same, each of another authority', authorities.gas, authorities.link],
          ['the same, with digests that another authority attested', attestedBefore.gas, attestedBefore.link],
        ],
      },
    ];
  } finally {
    await node.stop();
  }
}
