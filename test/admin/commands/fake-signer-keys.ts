import type { Hex } from 'viem';
import type { SignerKey, SignerKeys } from '../../../admin/deployment/kms-signer-keys.ts';
import { FakeSigner } from '../../fakes/ports/fake-signer.ts';

/** KMS keys in memory, by alias; each is among the signers that the functions may use. */
export class FakeSignerKeys implements SignerKeys {
  readonly keys = new Map<string, SignerKey>();
  readonly unusable = new Set<string>();
  readonly #signers: Map<string, FakeSigner>;

  constructor(signers: Map<string, FakeSigner>) {
    this.#signers = signers;
  }

  async find(alias: string): Promise<SignerKey | 'unusable' | undefined> {
    return this.unusable.has(alias) ? 'unusable' : this.keys.get(alias);
  }

  async create(alias: string): Promise<SignerKey> {
    const number = this.keys.size + 1;
    const privateKey: Hex = `0x${number.toString(16).padStart(64, 'c')}`;
    const signer = new FakeSigner(privateKey);
    const key = { keyId: `key-${number}`, address: signer.address };
    this.keys.set(alias, key);
    this.#signers.set(key.keyId, signer);
    return key;
  }
}
