import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import type { Address, Hex } from 'viem';
import type { MinedTransaction } from '../chain/block-maker.ts';
import { decodeCall } from '../chain/call-decoder.ts';
import { callsInside } from '../chain/contracts-model.ts';
import { registryAddress, type World } from '../world/world.ts';

/** A mined registry call of one of the service's keys, made directly or inside a forwarder's batch. */
export interface MinedCall {
  readonly data: Hex;
  readonly succeeded: boolean;
  readonly transaction: MinedTransaction;
}

function callsIn(transaction: MinedTransaction): MinedCall[] {
  const { to, data, failedPositions } = transaction;
  // A cancellation makes no call.
  if (data === '0x') return [];
  const calls = to === registryAddress ? [data] : callsInside(data);
  return calls.map((call, position) => ({
    ...{ data: call, transaction },
    succeeded: transaction.succeeded && !failedPositions.includes(position),
  }));
}

/** Selects the mined transactions that the service itself signed, without those of another holder of a key. */
export function ourTransactions({ chain, signer, signers }: World): MinedTransaction[] {
  const keys = new Set<Address>([signer, ...signers.values()].map(({ address }) => address));
  return chain.receipts().filter(({ sender, foreign }) => keys.has(sender) && !foreign);
}

export function ourCalls(world: World): MinedCall[] {
  return ourTransactions(world).flatMap(callsIn);
}

/** Returns the function names of the successful calls of the service's keys. */
export function minedCalls(world: World): string[] {
  const succeeded = ourCalls(world).filter((call) => call.succeeded);
  return succeeded.map(({ data }) => decodeCall(attestationRegistryAbi, data).functionName);
}
