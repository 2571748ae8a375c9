import { size as bytesOf, encodeFunctionData, type Hex, type LocalAccount, parseEventLogs } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { delegateForwarderAbi } from '../../../artifacts/delegate-forwarder-abi.ts';
import { draft, hash, revealArguments, saltedHash } from '../attest.ts';
import { fundedAccount, sendMined } from '../chain.ts';
import { executeCalldata, operator, startForwarder } from '../forwarder.ts';
import { author, platform, type RegistryFixture } from '../registry.ts';

/** Calls are sent by the platform's key, or by the operator through the forwarder. */
export type Route = 'key' | 'forwarder';

const encode = (
  functionName: 'commit' | 'reveal' | 'setChildIpfsHash' | 'delegate',
  args: readonly unknown[],
) => encodeFunctionData({ abi, functionName, args } as never);

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
  readonly registry: RegistryFixture;
  readonly forwarder: Hex;
  readonly #gas: bigint;
  #count = 0;
  #memberCount = 0;
  readonly nextMember = () => this.#memberCount++;

  constructor(registry: RegistryFixture, forwarder: Hex, gas: bigint) {
    this.registry = registry;
    this.forwarder = forwarder;
    this.#gas = gas;
  }

  /** @param gas limit of transactions: that of EIP-7825, unless the node has another */
  static async start(registry: RegistryFixture, gas = 16_777_216n): Promise<GasMeter> {
    return new GasMeter(registry, await startForwarder(registry), gas);
  }

  async measureSingle() {
    const firstDelegate = await this.delegate(fundedAccount(1), operator.address);
    const nextDelegate = await this.delegate(fundedAccount(1), platform);
    // Only the first attestation pays for the counter's first value.
    await this.measureCalls('key', 1);
    const direct = { ...(await this.measureCalls('key', 1)), firstDelegate, nextDelegate };
    await this.delegate(fundedAccount(1), this.forwarder);
    await this.measureCalls('forwarder', 1);
    const forwarded = {
      '1': await this.measureCalls('forwarder', 1),
      '10': await this.measureCalls('forwarder', 10),
      '96': await this.measureCalls('forwarder', 96),
    };
    return { direct, forwarded, mostExpensive96: await this.#measureMostExpensive() };
  }

  senderOf(route: Route): Hex {
    return route === 'key' ? platform : this.forwarder;
  }

  /** Sends calls in one transaction. By the route `key`, it sends only the first call. */
  async send(route: Route, calls: readonly Hex[], gas?: bigint): Promise<{ gas: number; bytes: number }> {
    const [first = '0x'] = calls;
    const data = route === 'key' ? first : executeCalldata(calls);
    const [account, to] =
      route === 'key' ? [fundedAccount(4), this.registry.address] : [operator, this.forwarder];
    return { gas: await this.#send(account, to, data, gas), bytes: bytesOf(data) };
  }

  /** @returns the gas of the delegation */
  async delegate(authority: LocalAccount, to: Hex): Promise<number> {
    await this.registry.chain.client.setBalance({ address: authority.address, value: 10n ** 18n });
    return this.#send(authority, this.registry.address, encode('delegate', [to]), 200_000n);
  }

  async passRevealDelay(): Promise<void> {
    await this.registry.chain.client.increaseTime({ seconds: 60 });
  }

  /**
   * Measures the gas of a commit, a reveal and a link, and the calldata of the commit and the reveal together. Sends
   * `size` calls in a transaction. All contents are new.
   */
  async measureCalls(route: Route, size: number) {
    const numbers = Array.from({ length: size }, () => this.#count++);
    const calls = numbers.map((n) => callsOf(this.senderOf(route), n));
    const commits = calls.map(({ commit }) => commit);
    const commit = await this.send(route, commits);
    await this.passRevealDelay();
    const reveals = calls.map(({ reveal }) => reveal);
    const reveal = await this.send(route, reveals);
    const links = numbers.map((n) => encode('setChildIpfsHash', [BigInt(n + 1), hash(300_001 + n)]));
    const link = await this.send(route, links);
    const each = (total: number) => Math.round(total / size);
    const calldataBytes = each(commit.bytes + reveal.bytes);
    return { commit: each(commit.gas), reveal: each(reveal.gas), link: each(link.gas), calldataBytes };
  }

  /**
   * Measures 96 of the most expensive calls in one transaction: reveals with a parent, each by a different authority, of
   * contents that another authority attested before. @returns gas used, minimum limit, and size
   */
  async #measureMostExpensive() {
    const numbers = Array.from({ length: 96 }, (_, i) => this.#count + i);
    await this.measureCalls('forwarder', 96);
    const authorities = numbers.map((n) => privateKeyToAccount(hash(n)));
    for (const authority of authorities) await this.delegate(authority, this.forwarder);
    const calls = numbers.map((n, i) => {
      const authority = authorities[i]?.address ?? author;
      return callsOf(this.forwarder, n, { authority, digest: hash(1000 + n), parent: hash(n) });
    });
    // The first attestations consumed the same commits, so commit again.
    await this.send(
      'forwarder',
      calls.map(({ commit }) => commit),
    );
    await this.passRevealDelay();
    const reveals = calls.map(({ reveal }) => reveal);
    const reveal = { account: operator, to: this.forwarder, data: executeCalldata(reveals) };
    const gasLimit = Number(await this.registry.chain.client.estimateGas(reveal));
    const { gas, bytes } = await this.send('forwarder', reveals);
    return { gas, gasLimit, calldataBytes: bytes };
  }

  async #send(account: LocalAccount, to: Hex, data: Hex, gas = this.#gas): Promise<number> {
    const { status, gasUsed, logs } = await sendMined(this.registry.chain, { account, to, data, gas });
    // A failed call or a skipped member would look cheap.
    const failures = parseEventLogs({ abi: delegateForwarderAbi, logs, eventName: 'CallFailed' });
    const skips = parseEventLogs({ abi, logs, eventName: 'MemberSkipped' });
    if (status !== 'success' || failures.length > 0 || skips.length > 0) throw new Error('a call failed');
    return Number(gasUsed);
  }
}
