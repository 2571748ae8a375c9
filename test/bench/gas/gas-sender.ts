import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseEventLogs,
  zeroHash,
} from 'viem';
import { draft, revealArguments, saltedHash } from '../../../contracts/test/chain/attest.ts';
import { batchCalldata, batchHash, type Member } from '../../../contracts/test/chain/batch.ts';
import { executeCalldata } from '../../../contracts/test/chain/forwarder.ts';
import type { Route } from '../../../functions/domain/chain.ts';
import { CallFailedError, type Cost, type GasChain } from './gas-chain.ts';

/** What is to be attested. */
export interface Item {
  readonly authority: Address;
  readonly digest: Hex;
}

/** A transaction's recipient and calldata. */
export interface Envelope {
  readonly to: Address;
  readonly data: Hex;
}

/** Calls of commit and reveal of one attestation, or of one batch. */
export interface Attesting {
  readonly commit: Hex;
  readonly reveal: Hex;
}

/** One who sends calls of the registry for authorities: a key by itself, or through the forwarder. */
export class GasSender {
  readonly chain: GasChain;
  readonly account: LocalAccount;
  readonly route: Route;

  private constructor(chain: GasChain, account: LocalAccount, route: Route) {
    this.chain = chain;
    this.account = account;
    this.route = route;
  }

  static async start(chain: GasChain, number: number, route: Route): Promise<GasSender> {
    const account = await chain.account(number);
    const data = encodeFunctionData({
      abi: delegateForwarderAbi,
      functionName: 'addOperator',
      args: [account.address],
    });
    if (route === 'forwarder') await chain.send(chain.client.account, chain.forwarder, data);
    return new GasSender(chain, account, route);
  }

  get delegate(): Address {
    return this.route === 'key' ? this.account.address : this.chain.forwarder;
  }

  #member(item: Item): Member {
    return { ...item, salt: this.chain.word(), quoteRoot: this.chain.word() };
  }

  /** Makes the authority delegate to this sender. */
  async serve(authority: LocalAccount): Promise<void> {
    const data = encodeFunctionData({ abi, functionName: 'delegate', args: [this.delegate] });
    await this.chain.send(authority, this.chain.registry, data);
  }

  /** Encodes one attestation by the calls for one. */
  single(item: Item): Attesting {
    const drafted = draft(this.delegate, this.#member(item));
    return {
      commit: encodeFunctionData({ abi, functionName: 'commit', args: [saltedHash(drafted)] }),
      reveal: encodeFunctionData({ abi, functionName: 'reveal', args: revealArguments(drafted) }),
    };
  }

  batch(items: readonly Item[]): Attesting {
    const members = items.map((item) => this.#member(item));
    const args = [batchHash(this.delegate, members)] as const;
    return {
      commit: encodeFunctionData({ abi, functionName: 'commit', args }),
      reveal: batchCalldata(members),
    };
  }

  envelope(call: Hex): Envelope {
    const { registry, forwarder } = this.chain;
    return this.route === 'key'
      ? { to: registry, data: call }
      : { to: forwarder, data: executeCalldata([call]) };
  }

  /** @throws CallFailedError, for a skipped member too, which would be a cheap one */
  async send(call: Hex): Promise<Cost> {
    const { to, data } = this.envelope(call);
    const { logs, cost } = await this.chain.send(this.account, to, data);
    const skipped = parseEventLogs({ abi, logs, eventName: 'MemberSkipped' });
    if (skipped.length > 0) throw new CallFailedError('a member of a batch was skipped');
    return cost;
  }

  /** Commits, lets the delay pass and reveals. */
  async attest({ commit, reveal }: Attesting): Promise<Cost[]> {
    const committed = await this.send(commit);
    await this.chain.pass();
    return [committed, await this.send(reveal)];
  }

  /** Sets a child of each: by one call, or by the call for one. */
  async link(items: readonly Item[]): Promise<Cost> {
    const ids = await Promise.all(items.map((item) => this.#indexOf(item)));
    const children = ids.map(() => this.chain.word());
    const [id, child] = [ids[0] ?? 0n, children[0] ?? zeroHash];
    return this.send(
      ids.length === 1
        ? encodeFunctionData({ abi, functionName: 'setChildIpfsHash', args: [id, child] })
        : encodeFunctionData({ abi, functionName: 'setChildIpfsHashes', args: [ids, children] }),
    );
  }

  #indexOf({ digest, authority }: Item): Promise<bigint> {
    const functionName = 'cidAndAddressToAttestationIndices';
    const { client, registry: address } = this.chain;
    return client.readContract({ address, abi, functionName, args: [digest, authority] });
  }
}
