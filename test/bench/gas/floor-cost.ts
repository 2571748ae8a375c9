import { concat, type Hex, size, toHex } from 'viem';
import type { CostRow } from './attestation-costs.ts';
import { CallFailedError, type GasChain, share } from './gas-chain.ts';

/**
 * Init code that makes STOP and the records its contract's code, and stores a word at the first 32 bytes of each: what
 * a batch leaves behind, and nothing of what it checks.
 */
function initCode(records: Hex): Hex {
  const end = toHex(1 + size(records), { size: 2 });
  // codecopy(0, 28, end); p = end; do { p -= 64; sstore(mload(p), p) } while (p > 1); return(0, end)
  const copy = concat(['0x61', end, '0x80601c5f39']);
  const store = '0x805b604090038080515580600110600957505ff3';
  return concat([copy, store, '0x00', records]);
}

/** Measures the least that so many attestations could cost: a word, 64 bytes of code and 64 of calldata each. */
export async function floorCost(chain: GasChain, count: number): Promise<CostRow> {
  const records = concat(Array.from({ length: 2 * count }, () => chain.word()));
  const { contractAddress, cost } = await chain.send(await chain.account(2), undefined, initCode(records));
  const code = contractAddress && (await chain.client.getCode({ address: contractAddress }));
  if (code !== concat(['0x00', records])) throw new CallFailedError('the records are not the code');
  return {
    name: `floor of ${count}: a word, 64 bytes of code, 64 of calldata`,
    sentBy: 'key',
    cost: share([cost], count),
  };
}
