import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, concat, type Hex, keccak256, pad, zeroAddress, zeroHash } from 'viem';
import type { RegistryEntry, RegistryState } from '../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../functions/domain/errors.ts';
import { type BatchMember, batchHash, membersOf } from './batch-model.ts';
import { decodeCall, isDecodable } from './call-decoder.ts';
import type { Entry, State } from './chain-state.ts';

const revert = (reason: string): never => {
  throw new CallRevertedError(`the registry refused: ${reason}`);
};

/** Decodes a call; one that cannot be decoded reverts without a reason. @throws CallRevertedError */
function decodeOrRevert(data: Hex) {
  const refusal = new CallRevertedError('the registry refused the call');
  if (!isDecodable(attestationRegistryAbi, data)) throw refusal;
  try {
    return decodeCall(attestationRegistryAbi, data);
  } catch {
    throw refusal;
  }
}

const revocationWindowSeconds = 7 * 86_400;

type RevealArgs = readonly [Hex, Hex, Hex, Hex, Hex, Address];

type ContentArgs = Pick<Entry, 'digest' | 'quoteRoot' | 'authorityAddress'>;

/** Model of the registry's rules on the state of a chain. */
export class RegistryModel {
  readonly #state: State;
  readonly #revealDelaySeconds: number;

  constructor(state: State, revealDelaySeconds: number) {
    this.#state = state;
    this.#revealDelaySeconds = revealDelaySeconds;
  }

  registryState(digest: Hex, authorityAddress: Address): RegistryState {
    return {
      attestationIndex: this.#state.get('index', `${digest} ${authorityAddress}`) ?? 0,
      delegateAddress: this.#state.get('delegate', authorityAddress) ?? zeroAddress,
    };
  }

  entry(attestationIndex: number): RegistryEntry & Partial<Entry> {
    return (
      this.#state.get('entry', String(attestationIndex)) ?? {
        quoteRoot: zeroHash,
        timestamp: 0,
        revokedAt: 0,
      }
    );
  }

  get count(): number {
    return this.#state.get('entryCount', '') ?? 0;
  }

  /** Runs a call. @returns positions of skipped members @throws CallRevertedError, and then changes nothing */
  execute(sender: Address, data: Hex, timestamp: number): number[] {
    const { functionName, args } = decodeOrRevert(data);
    if (functionName === 'commit') this.#commit(sender, args[0], timestamp);
    else if (functionName === 'reveal') this.#reveal(sender, args, timestamp);
    else if (functionName === 'revealBatch') return this.#revealBatch(sender, membersOf(args), timestamp);
    else if (functionName === 'setChildIpfsHash') this.#setChild(sender, Number(args[0]), args[1]);
    else if (functionName === 'setChildIpfsHashes') return this.#setChildren(sender, ...args);
    else if (functionName === 'delegate') this.#delegate(sender, args[0]);
    else if (functionName === 'revokeDelegation') this.#state.set('delegate', sender, undefined);
    else if (functionName === 'revokeAttestation') this.#revoke(sender, Number(args[0]), timestamp);
    else throw new Error(`the model has no ${functionName}`);
    return [];
  }

  #commit(sender: Address, saltedHash: Hex, timestamp: number): void {
    const key = `${sender} ${saltedHash}`;
    if (this.#state.get('commit', key) !== undefined) revert('commit repeated');
    this.#state.set('commit', key, timestamp);
  }

  /** The checks are in the contract's order: a call that fails for two reasons reports the first. */
  #reveal(sender: Address, args: RevealArgs, timestamp: number): void {
    const [saltedHash, salt, digest, quoteRoot, , authorityAddress] = args;
    this.#requireActsFor(sender, authorityAddress);
    const expected = keccak256(concat([digest, pad(sender, { size: 32, dir: 'right' }), salt]));
    if (saltedHash !== expected) revert('salted hash mismatched');
    const key = this.#revealableCommit(sender, saltedHash, timestamp);
    this.#add({ digest, quoteRoot, authorityAddress }, timestamp);
    this.#state.set('commit', key, undefined);
  }

  #revealableCommit(sender: Address, saltedHash: Hex, timestamp: number): string {
    const key = `${sender} ${saltedHash}`;
    const committedAt = this.#state.get('commit', key) ?? revert('commit missing');
    if (timestamp < committedAt + this.#revealDelaySeconds) revert('reveal too early');
    return key;
  }

  /** Skips members that could not be revealed singly either, and keeps the commit. */
  #revealBatch(sender: Address, members: readonly BatchMember[], timestamp: number): number[] {
    this.#revealableCommit(sender, batchHash(sender, members), timestamp);
    return this.#runEach(
      members.map((member) => () => {
        if (!('leaf' in member)) this.#attest(sender, member, timestamp);
      }),
    );
  }

  #attest(sender: Address, content: ContentArgs, timestamp: number): void {
    this.#requireActsFor(sender, content.authorityAddress);
    this.#add(content, timestamp);
  }

  #setChildren(sender: Address, indices: readonly bigint[], children: readonly Hex[]): number[] {
    if (indices.length !== children.length) revert('children mismatched');
    return this.#runEach(
      indices.map(
        (index, position) => () => this.#setChild(sender, Number(index), children[position] ?? '0x'),
      ),
    );
  }

  /** Runs the actions, and skips those that revert. @returns positions of the skipped ones */
  #runEach(acts: readonly (() => void)[]): number[] {
    return acts.flatMap((act, position) => {
      try {
        act();
        return [];
      } catch (error) {
        if (!(error instanceof CallRevertedError)) throw error;
        return [position];
      }
    });
  }

  #add({ digest, quoteRoot, authorityAddress }: ContentArgs, timestamp: number): void {
    if (this.registryState(digest, authorityAddress).attestationIndex > 0) revert('content already attested');
    const entry = { digest, quoteRoot, authorityAddress, timestamp, revokedAt: 0 };
    const index = this.count + 1;
    this.#state.set('entryCount', '', index);
    this.#state.set('entry', String(index), entry);
    this.#state.set('index', `${entry.digest} ${entry.authorityAddress}`, index);
  }

  #delegate(sender: Address, delegateAddress: Address): void {
    if (delegateAddress === zeroAddress) revert('delegate zero');
    this.#state.set('delegate', sender, delegateAddress);
  }

  #setChild(sender: Address, attestationIndex: number, childDigest: Hex): void {
    const entry = this.#entryFor(sender, attestationIndex);
    this.#state.set('entry', String(attestationIndex), { ...entry, childDigest });
  }

  #revoke(sender: Address, attestationIndex: number, timestamp: number): void {
    const entry = this.#entryFor(sender, attestationIndex);
    if (entry.revokedAt !== 0) revert('attestation already revoked');
    if (timestamp > entry.timestamp + revocationWindowSeconds) revert('revocation period over');
    this.#state.set('entry', String(attestationIndex), { ...entry, revokedAt: timestamp });
  }

  #entryFor(sender: Address, attestationIndex: number): Entry {
    const entry = this.#state.get('entry', String(attestationIndex)) ?? revert('attestation unknown');
    this.#requireActsFor(sender, entry.authorityAddress);
    return entry;
  }

  #requireActsFor(sender: Address, authorityAddress: Address): void {
    if (sender === authorityAddress || this.#state.get('delegate', authorityAddress) === sender) return;
    revert('sender unauthorized');
  }
}
