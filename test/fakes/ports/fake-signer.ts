import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, type Hex, hexToBytes, keccak256 } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { UnsignedTx } from '../../../functions/domain/chain.ts';
import { signedBytes, unsignedBytes } from '../../../functions/domain/raw-transaction.ts';
import type { Signer } from '../../../functions/domain/services.ts';
import { recordSender } from '../chain/senders.ts';

/**
 * The latest signatures by key, number and digest. Runs that differ only in one fault mostly sign the same data, and
 * signing is slow.
 */
const signatures = new Map<string, Hex>();

/** A signer with a key in memory. As with KMS, signing the same twice gives two signatures, so two hashes. */
export class FakeSigner implements Signer {
  readonly address: Address;
  signed = 0;
  /** If set, `sign` always throws this error. */
  failure: Error | undefined;
  readonly #privateKey: Hex;

  constructor(privateKey: Hex) {
    this.#privateKey = privateKey;
    this.address = privateKeyToAddress(privateKey);
  }

  async sign(unsigned: UnsignedTx): Promise<{ signature: Hex; hash: Hex }> {
    if (this.failure) throw this.failure;
    const digest = keccak256(unsignedBytes(unsigned));
    const number = ++this.signed;
    const name = `${this.#privateKey} ${number} ${digest}`;
    if (signatures.size > 20_000) signatures.clear();
    const signature = signatures.get(name) ?? this.#signatureOf(digest, number);
    signatures.set(name, signature);
    const hash = keccak256(signedBytes(unsigned, signature));
    recordSender(hash, this.address);
    return { signature, hash };
  }

  #signatureOf(digest: Hex, number: number): Hex {
    const extraEntropy = new Uint8Array(32).fill(number);
    const key = hexToBytes(this.#privateKey);
    const { r, s, recovery } = secp256k1.sign(digest.slice(2), key, { lowS: true, extraEntropy });
    const word = (value: bigint) => value.toString(16).padStart(64, '0');
    return `0x${word(r)}${word(s)}${recovery === 0 ? '1b' : '1c'}`;
  }
}
