import {
  type Address,
  type Hash,
  type Hex,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';

const signed = new Map<Hash, Address>();
/** A long run signs more transactions. Then the senders of earlier ones are recovered. */
const maxRemembered = 10_000;

/** Remembers who signed a transaction. */
export function recordSender(hash: Hash, signer: Address): void {
  if (signed.size >= maxRemembered) signed.clear();
  signed.set(hash, signer);
}

/** Finds the sender. To recover it from the signature would take a fifth of the time of the tests. */
export async function senderOf(raw: Hex, hash: Hash): Promise<Address> {
  const serializedTransaction = raw as TransactionSerialized;
  return signed.get(hash) ?? recoverTransactionAddress({ serializedTransaction });
}
