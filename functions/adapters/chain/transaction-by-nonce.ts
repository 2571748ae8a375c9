import { type Address, type Hash, numberToHex } from 'viem';
import { type Confirmations, finalBlock } from './blocks.ts';
import { count, fullBlock, type Rpc } from './rpc.ts';

/** Returns whether the nonce is used at the end of a block. Nodes without that state refuse. */
type IsUsedAt = (blockNumber: number) => Promise<boolean>;

/** Finds the transaction that used the nonce; `undefined` when the final block shows it unused; throws otherwise. */
export async function transactionByNonce(
  rpc: Rpc,
  confirmations: Confirmations,
  signerAddress: Address,
  nonce: number,
): Promise<Hash | undefined> {
  const isUsedAt: IsUsedAt = async (blockNumber) =>
    (await rpc('eth_getTransactionCount', [signerAddress, numberToHex(blockNumber)], count)) > nonce;
  const { number: final } = await finalBlock(rpc, confirmations);
  if (!(await isUsedAt(final))) return undefined;
  const blockNumber = await firstBlock(isUsedAt, final);
  const params = [numberToHex(blockNumber), true];
  const { transactions } = await rpc('eth_getBlockByNumber', params, fullBlock);
  const signer = signerAddress.toLowerCase();
  const found = transactions.find((each) => each.nonce === nonce && each.from.toLowerCase() === signer);
  if (!found) throw new Error(`a provider shows no transaction that used nonce ${nonce}`);
  return found.hash;
}

/** Finds the first block after which the nonce is used. Recent blocks come first: most nodes keep few states. */
async function firstBlock(isUsedAt: IsUsedAt, final: number): Promise<number> {
  let used = final;
  for (let step = 1; used > 0; step *= 2) {
    const earlier = Math.max(0, used - step);
    if (!(await isUsedAt(earlier))) return narrow(isUsedAt, earlier, used);
    used = earlier;
  }
  return used;
}

/** Narrows the range by reading several blocks at once, until one is left. */
async function narrow(isUsedAt: IsUsedAt, unusedAt: number, usedAt: number): Promise<number> {
  let [low, high] = [unusedAt, usedAt];
  while (high - low > 1) {
    const width = Math.ceil((high - low) / 16);
    const samples: number[] = [];
    for (let number = low + width; number < high; number += width) samples.push(number);
    const used = await Promise.all(samples.map(isUsedAt));
    high = samples.find((_, index) => used[index]) ?? high;
    low = samples.findLast((number) => number < high) ?? low;
  }
  return high;
}
