import { size as bytesOf, encodeFunctionData, type Hex, type LocalAccount, parseEventLogs } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { delegateForwarderAbi } from '../../../artifacts/delegate-forwarder-abi.ts';
import { draft, hash, revealArguments, saltedHash } from '../attest.ts';
import { fundedAccount } from '../chain.ts';
import { executeCalldata, operator, startForwarder } from '../forwarder.ts';
import { author, platform, type RegistryFixture } from '../registry.ts';

/** Gas for each call of a transaction. */
export interface GasRow {
  readonly commit: number;
  readonly reveal: number;
  readonly link: number;
  /** Bytes of calldata of commit and reveal together. */
  readonly calldataBytes: number;
}

export interface GasTable {
  readonly direct: GasRow & { readonly firstDelegate: number; readonly nextDelegate: number };
  readonly forwarded: Readonly<Record<'1' | '10' | '96', GasRow>>;
  /** 96 of the most expensive call in one transaction: gas used, minimum limit, size. */
  readonly dearest96: { readonly gas: number; readonly gasLimit: number; readonly calldataBytes: number };
}

const encode = (
  functionName: 'commit' | 'reveal' | 'setChildIpfsHash' | 'delegate',
  args: readonly unknown[],
) => encodeFunctionData({ abi, functionName, args } as never);

interface Calls {
  readonly commit: Hex;
  readonly reveal: Hex;
}

export function callsOf(
  sender: Hex,
  n: number,
  fields: { authority?: Hex; digest?: Hex; parent?: Hex } = {},
) {
  const random = { digest: hash(1000 + n), salt: hash(100_000 + n), quoteRoot: hash(200_000 + n) };
  const drafted = draft(sender, { authority: author, ...random, ...fields });
  return {
    commit: encode('commit', [saltedHash(drafted)]),
    reveal: encode('reveal', revealArguments(drafted)),
  };
}

/** Measures the receipts of real transactions on a new chain. */
export class GasMeter {
  readonly #registry: RegistryFixture;
  readonly #forwarder: Hex;
  readonly #gas: bigint;
  #count = 0;
  constructor(registry: RegistryFixture, forwarder: Hex, gas: bigint) {
    this.#registry = registry;
    this.#forwarder = forwarder;
    this.#gas = gas;
  }

  /** @param gas limit of transactions: that of EIP-7825, unless the node has another */
  static async start(registry: RegistryFixture, gas = 16_777_216n): Promise<GasMeter> {
    return new GasMeter(registry, await startForwarder(registry), gas);
  }

  async measure(): Promise<GasTable> {
    const firstDelegate = await this.delegateAuthor(operator.address);
    const nextDelegate = await this.delegateAuthor(platform);
    // Only the first attestation pays for the counter's first value.
    await this.direct();
    const direct = { ...(await this.direct()), firstDelegate, nextDelegate };
    await this.delegateAuthor(this.#forwarder);
    await this.forwarded(1);
    const [one, ten, all] = [await this.forwarded(1), await this.forwarded(10), await this.forwarded(96)];
    return { direct, forwarded: { '1': one, '10': ten, '96': all }, dearest96: await this.#dearest() };
  }

  get forwarder(): Hex {
    return this.#forwarder;
  }

  /** Sends a call by the platform's key. @returns its gas */
  byKey(data: Hex, gas?: bigint): Promise<number> {
    return this.#send(fundedAccount(4), this.#registry.address, data, gas);
  }

  byForwarder(data: Hex, gas?: bigint): Promise<number> {
    return this.#execute([data], gas);
  }

  /** Makes the author delegate. @returns its gas */
  delegateAuthor(to: Hex): Promise<number> {
    return this.#send(fundedAccount(1), this.#registry.address, encode('delegate', [to]));
  }

  async delegate(authority: LocalAccount, to: Hex): Promise<void> {
    await this.#registry.chain.client.setBalance({ address: authority.address, value: 10n ** 18n });
    await this.#send(authority, this.#registry.address, encode('delegate', [to]), 200_000n);
  }

  async pass(): Promise<void> {
    await this.#registry.chain.client.increaseTime({ seconds: 60 });
  }

  indexOf(digest: Hex, authority: Hex = author): Promise<bigint> {
    return this.#registry.view.cidAndAddressToAttestationIndices([digest, authority]);
  }

  stop(): Promise<void> {
    return this.#registry.stop();
  }

  async direct(): Promise<GasRow> {
    const { address } = this.#registry;
    const { commit, reveal } = callsOf(platform, this.#count++);
    const committed = await this.#send(fundedAccount(4), address, commit);
    await this.pass();
    const revealed = await this.#send(fundedAccount(4), address, reveal);
    const link = await this.#send(fundedAccount(4), address, this.#linkCall(this.#count));
    const calldataBytes = bytesOf(commit) + bytesOf(reveal);
    return { commit: committed, reveal: revealed, link, calldataBytes };
  }

  async forwarded(size: number): Promise<GasRow> {
    const first = this.#count;
    const calls = Array.from({ length: size }, () => callsOf(this.#forwarder, this.#count++));
    const [commits, reveals] = [calls.map(({ commit }) => commit), calls.map(({ reveal }) => reveal)];
    const commit = await this.#execute(commits);
    await this.pass();
    const reveal = await this.#execute(reveals);
    const link = await this.#execute(calls.map((_, i) => this.#linkCall(first + i + 1)));
    const each = (total: number) => Math.round(total / size);
    const calldataBytes = each(bytesOf(executeCalldata(commits)) + bytesOf(executeCalldata(reveals)));
    return { commit: each(commit), reveal: each(reveal), link: each(link), calldataBytes };
  }

  /** Reveals with a parent, each of another authority, of contents that each have one attestation by another. */
  async #dearest() {
    const numbers = Array.from({ length: 96 }, (_, i) => this.#count + i);
    await this.#forwardedOf(numbers.map((n) => callsOf(this.#forwarder, n)));
    const authorities = numbers.map((n) => privateKeyToAccount(hash(n)));
    for (const authority of authorities) await this.delegate(authority, this.#forwarder);
    const calls = numbers.map((n, i) => {
      const authority = authorities[i]?.address ?? author;
      return callsOf(this.#forwarder, n, { authority, digest: hash(1000 + n), parent: hash(n) });
    });
    // The first attestations consumed the same commits, so commit again.
    await this.#execute(calls.map((call) => call.commit));
    await this.pass();
    const data = executeCalldata(calls.map((call) => call.reveal));
    const gasLimit = await this.#registry.chain.client.estimateGas({
      account: operator,
      to: this.#forwarder,
      data,
    });
    const gas = await this.#send(operator, this.#forwarder, data);
    return { gas, gasLimit: Number(gasLimit), calldataBytes: data.length / 2 - 1 };
  }

  async #forwardedOf(calls: readonly Calls[]): Promise<void> {
    await this.#execute(calls.map((call) => call.commit));
    await this.pass();
    await this.#execute(calls.map((call) => call.reveal));
  }

  #linkCall(attestationId: number): Hex {
    return encode('setChildIpfsHash', [BigInt(attestationId), hash(300_000 + attestationId)]);
  }

  #execute(calls: readonly Hex[], gas?: bigint): Promise<number> {
    return this.#send(operator, this.#forwarder, executeCalldata(calls), gas);
  }

  async #send(account: LocalAccount, to: Hex, data: Hex, gas = this.#gas): Promise<number> {
    const { client } = this.#registry.chain;
    const transactionHash = await client.sendTransaction({ account, to, data, gas });
    const { status, gasUsed, logs } = await client.waitForTransactionReceipt({ hash: transactionHash });
    // A failed call or a skipped member would look cheap.
    const failures = parseEventLogs({ abi: delegateForwarderAbi, logs, eventName: 'CallFailed' });
    const skips = parseEventLogs({ abi, logs, eventName: 'MemberSkipped' });
    if (status !== 'success' || failures.length > 0 || skips.length > 0) throw new Error('a call failed');
    return Number(gasUsed);
  }
}
