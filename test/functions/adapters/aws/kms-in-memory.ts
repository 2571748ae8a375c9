import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1';
import { bytesToHex, type Hex, hexToBytes } from 'viem';
import { encodeDerSignature } from '../../../fakes/ports/der.ts';

/** Encodes an uncompressed point as KMS returns public keys: DER, SubjectPublicKeyInfo. */
export function spki(point: Uint8Array): Uint8Array {
  return Uint8Array.from([...hexToBytes('0x3056301006072a8648ce3d020106052b8104000a034200'), ...point]);
}

/** A KMS with one key, which records its requests. A test may make it sign with a key other than the one it shows. */
export class KmsInMemory {
  readonly keyIds: (string | undefined)[] = [];
  readonly signed: { KeyId?: string | undefined; MessageType?: string | undefined }[] = [];
  readonly #shownKey: Hex;
  readonly #signingKey: Hex;

  constructor(shownKey: Hex, signingKey = shownKey) {
    this.#shownKey = shownKey;
    this.#signingKey = signingKey;
  }

  readonly client = { send: (command: unknown) => this.#answer(command) } as unknown as KMSClient;

  async #answer(command: unknown): Promise<object> {
    if (command instanceof GetPublicKeyCommand) {
      this.keyIds.push(command.input.KeyId);
      return { PublicKey: spki(secp256k1.getPublicKey(this.#shownKey.slice(2), false)) };
    }
    if (!(command instanceof SignCommand)) throw new Error('not a command of this fake');
    this.signed.push(command.input);
    const digest = bytesToHex(command.input.Message ?? new Uint8Array()).slice(2);
    return {
      Signature: encodeDerSignature(secp256k1.sign(digest, this.#signingKey.slice(2), { lowS: false })),
    };
  }
}
