import { type Address, concat, decodeFunctionData, type Hex, keccak256, pad, zeroAddress } from 'viem';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import { CallRevertedError } from '../../functions/domain/errors.ts';
import type { RegistryEntry, Standing } from '../../functions/domain/ports.ts';

interface Entry {
  readonly digest: Hex;
  readonly quoteRoot: Hex;
  readonly authorityAddress: Address;
  readonly timestamp: number;
  revokedAt: number;
  childDigest?: Hex;
}

const revert = (words: string): never => {
  throw new CallRevertedError(`the registry refused: ${words}`);
};

const revocationWindowSeconds = 7 * 86_400;

/** The registry's rules as design/registry.md gives them, without a chain around them. */
export class RegistryModel {
  readonly revealDelaySeconds: number;
  #commits = new Map<string, number>();
  #entries: Entry[] = [];
  #delegates = new Map<Address, Address>();

  constructor(revealDelaySeconds: number) {
    this.revealDelaySeconds = revealDelaySeconds;
  }

  clone(): RegistryModel {
    const twin = new RegistryModel(this.revealDelaySeconds);
    twin.#commits = new Map(this.#commits);
    twin.#entries = this.#entries.map((entry) => ({ ...entry }));
    twin.#delegates = new Map(this.#delegates);
    return twin;
  }

  standing(digest: Hex, authorityAddress: Address): Standing {
    const attestationIndex = this.#indexOf(digest, authorityAddress);
    return { attestationIndex, delegateAddress: this.#delegates.get(authorityAddress) ?? zeroAddress };
  }

  entry(attestationIndex: number): RegistryEntry & { digest: Hex | undefined; childDigest: Hex | undefined } {
    const entry = this.#entries[attestationIndex - 1];
    const { timestamp = 0, revokedAt = 0, digest, childDigest } = entry ?? {};
    return { timestamp, revokedAt, digest, childDigest };
  }

  get count(): number {
    return this.#entries.length;
  }

  /** Runs a call at that block time. @throws CallRevertedError and then changes nothing. */
  execute(sender: Address, data: Hex, timestamp: number): void {
    const { functionName, args } = decodeFunctionData({ abi, data });
    if (functionName === 'commit') this.#commit(sender, args[0], timestamp);
    else if (functionName === 'reveal') this.#reveal(sender, args, timestamp);
    else if (functionName === 'setChildIpfsHash')
      this.#entryFor(sender, Number(args[0])).childDigest = args[1];
    else if (functionName === 'delegate') this.#delegates.set(sender, args[0]);
    else if (functionName === 'revokeDelegation') this.#delegates.delete(sender);
    else if (functionName === 'revokeAttestation') this.#revoke(sender, Number(args[0]), timestamp);
    else throw new Error(`the model has no ${functionName}`);
  }

  #indexOf(digest: Hex, authorityAddress: Address): number {
    const found = (entry: Entry) => entry.digest === digest && entry.authorityAddress === authorityAddress;
    return this.#entries.findIndex(found) + 1;
  }

  #commit(sender: Address, saltedHash: Hex, timestamp: number): void {
    const key = `${sender} ${saltedHash}`;
    if (this.#commits.has(key)) revert('commit repeated');
    this.#commits.set(key, timestamp);
  }

  #reveal(
    sender: Address,
    [saltedHash, salt, digest, quoteRoot, , authorityAddress]: readonly [Hex, Hex, Hex, Hex, Hex, Address],
    timestamp: number,
  ): void {
    const expected = keccak256(concat([digest, pad(sender, { size: 32, dir: 'right' }), salt]));
    if (saltedHash !== expected) revert('salted hash mismatched');
    const key = `${sender} ${saltedHash}`;
    const committedAt = this.#commits.get(key) ?? revert('commit missing');
    if (timestamp < committedAt + this.revealDelaySeconds) revert('reveal too early');
    this.#requireActsFor(sender, authorityAddress);
    if (this.#indexOf(digest, authorityAddress) > 0) revert('content already attested');
    this.#commits.delete(key);
    this.#entries.push({ digest, quoteRoot, authorityAddress, timestamp, revokedAt: 0 });
  }

  #revoke(sender: Address, attestationIndex: number, timestamp: number): void {
    const entry = this.#entryFor(sender, attestationIndex);
    if (entry.revokedAt !== 0) revert('attestation already revoked');
    if (timestamp > entry.timestamp + revocationWindowSeconds) revert('revocation window closed');
    entry.revokedAt = timestamp;
  }

  #entryFor(sender: Address, attestationIndex: number): Entry {
    const entry = this.#entries[attestationIndex - 1] ?? revert('attestation unknown');
    this.#requireActsFor(sender, entry.authorityAddress);
    return entry;
  }

  #requireActsFor(sender: Address, authorityAddress: Address): void {
    if (sender === authorityAddress || this.#delegates.get(authorityAddress) === sender) return;
    revert('sender unauthorized');
  }
}
