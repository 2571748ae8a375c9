import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, encodeFunctionData, getAddress, type Hash, type Hex, numberToHex } from 'viem';
import type { Chain, Registry } from '../../../functions/domain/chain.ts';
import { signedBytes } from '../../../functions/domain/raw-transaction.ts';
import type { Signer } from '../../../functions/domain/services.ts';
import type { MinedTransaction } from '../chain/block-maker.ts';
import { type DepthSettings, requireDepthSettings } from '../chain/chain-state.ts';
import type { Mempool } from '../chain/mempool.ts';
import { ownAttestation } from '../chain/own-attestation.ts';
import type { RpcProxy } from '../rpc/rpc-proxy.ts';
import type { MinedBlock, RealNode, RealReorg } from './real-node.ts';
import { RealProviders } from './real-providers.ts';

export interface RealChainParts {
  readonly node: RealNode;
  readonly providers: readonly RpcProxy[];
  /** The chain without providers and their faults. */
  readonly direct: Chain;
  readonly signers: () => readonly Signer[];
  /** Signers of the authorities and of other accounts outside the service. */
  readonly actors: readonly Signer[];
  /** Signer that deploys contracts and manages forwarders. */
  readonly admin: Signer;
  readonly now: () => number;
}

/** High enough for the transaction to come first in the next block. */
const eagerTip = 1_000_000_000_000n;

/** An anvil with the changes that tests make to a chain, under the names of `SimulatedChain` where possible. */
export class RealChain extends RealProviders {
  readonly node: RealNode;
  readonly settings: DepthSettings;
  readonly registry: Registry;
  /** Views of the final block, from the node itself. */
  readonly atFinal: Chain['atFinal'];
  readonly mempool: Mempool;
  readonly #direct: Chain;
  readonly #signers: () => readonly Signer[];
  readonly #actors: ReadonlyMap<Address, Signer>;
  readonly #admin: Signer;
  readonly #now: () => number;
  /** Transactions that another holder made with a key of the service. */
  readonly #foreign = new Set<Hash>();

  constructor({ node, providers, direct, signers, actors, admin, now }: RealChainParts) {
    super(providers);
    this.node = node;
    this.settings = requireDepthSettings(direct.settings);
    this.registry = direct.registry;
    this.atFinal = direct.atFinal;
    this.mempool = node.mempool;
    this.#direct = direct;
    this.#signers = signers;
    this.#actors = new Map([...actors, admin].map((actor) => [actor.address, actor]));
    this.#admin = admin;
    this.#now = now;
  }

  get newest(): MinedBlock {
    return this.node.blocks.at(-1) as MinedBlock;
  }

  /** Mines a block of all transactions that pay enough, `seconds` after the last but not behind the clock. */
  async mine(seconds = this.settings.blockTimeSeconds): Promise<void> {
    const clock = Math.floor(this.#now() / 1000);
    await this.node.mine(Math.max(this.newest.timestamp + Math.max(1, Math.round(seconds)), clock));
  }

  /** Replaces the newest blocks. A balance that was set in a replaced block is undone with it. */
  reorganize(depth: number, options?: RealReorg): Promise<void> {
    return this.node.reorganize(depth, options);
  }

  setBaseFee(baseFee: bigint): Promise<void> {
    return this.node.setBaseFee(baseFee);
  }

  set minTip(minTip: bigint) {
    this.node.minTip = minTip;
  }

  set onSend(watch: RealNode['onSend']) {
    this.node.onSend = watch;
  }

  async setBalance(address: Address, wei: bigint): Promise<void> {
    await this.node.request('anvil_setBalance', [address, numberToHex(wei)]);
  }

  /** Makes a call for an actor, and mines a block. @throws Error if the call reverts */
  async act(sender: Address, data: Hex, to: Address = this.settings.registryAddress): Promise<void> {
    const actor = this.#actors.get(sender);
    if (!actor) throw new Error(`${sender} is no actor`);
    const hash = await this.#send(actor, to, data);
    await this.mine();
    const { receipts } = await this.#direct.snapshot({
      signerAddress: sender,
      hashes: [hash],
      blockNumbers: [],
    });
    if (!receipts.get(hash)?.succeeded) throw new Error(`the call of ${sender} failed`);
  }

  delegate(authorityAddress: Address, delegateAddress: Address, registryAddress?: Address): Promise<void> {
    const args = [delegateAddress] as const;
    const data = encodeFunctionData({ abi, functionName: 'delegate', args });
    return this.act(authorityAddress, data, registryAddress);
  }

  revokeDelegation(authorityAddress: Address): Promise<void> {
    return this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'revokeDelegation' }));
  }

  /** Attests content as the authority itself, without the service. */
  async attest(authorityAddress: Address, digest: Hex): Promise<void> {
    const own = ownAttestation(authorityAddress, digest);
    await this.act(authorityAddress, own.commit);
    await this.mine(this.settings.revealDelaySeconds);
    await this.act(authorityAddress, own.reveal);
  }

  revokeAttestation(authorityAddress: Address, attestationIndex: number): Promise<void> {
    const args = [BigInt(attestationIndex)] as const;
    return this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'revokeAttestation', args }));
  }

  addOperator(forwarderAddress: Address, signerAddress: Address): Promise<void> {
    const call = { abi: delegateForwarderAbi, functionName: 'addOperator', args: [signerAddress] } as const;
    return this.act(this.#admin.address, encodeFunctionData(call), forwarderAddress);
  }

  removeOperator(forwarderAddress: Address, signerAddress: Address): Promise<void> {
    const call = {
      abi: delegateForwarderAbi,
      functionName: 'removeOperator',
      args: [signerAddress],
    } as const;
    return this.act(this.#admin.address, encodeFunctionData(call), forwarderAddress);
  }

  /** Uses the sender's nonce in the next block, as another holder of the key would. */
  async spendNonce(sender: Address): Promise<Hash> {
    const signer = this.#signers().find(({ address }) => address === sender);
    if (!signer) throw new Error(`${sender} is no signer`);
    const hash = await this.#send(signer, this.#admin.address, '0x');
    this.#foreign.add(hash);
    return hash;
  }

  /** Sends a transaction with the signer's next nonce. It comes first in the next block. */
  async #send(signer: Signer, to: Address, data: Hex): Promise<Hash> {
    const fees = { maxFeePerGas: this.node.baseFee + eagerTip, maxPriorityFeePerGas: eagerTip };
    const nonce = await this.node.transactionCount(signer.address);
    const { chainId } = this.settings;
    const unsigned = { chainId, nonce, to, data, gasLimit: 1_000_000n, ...fees };
    const { signature } = await signer.sign(unsigned);
    return this.node.send(signedBytes(unsigned, signature));
  }

  /** Receipts of all mined transactions except the actors' own, in their order. */
  async receipts(): Promise<MinedTransaction[]> {
    const mined = this.node.blocks
      .flatMap(({ transactions }) => transactions)
      .filter(({ sender }) => !this.#actors.has(sender));
    const [signerAddress] = mined.map(({ sender }) => sender);
    if (!signerAddress) return [];
    const hashes = mined.map(({ hash }) => hash);
    const { receipts } = await this.#direct.snapshot({ signerAddress, hashes, blockNumbers: [] });
    return mined.flatMap((one) => {
      const receipt = receipts.get(one.hash);
      const foreign = this.#foreign.has(one.hash) ? ({ foreign: true } as const) : {};
      const pooled = { ...one, ...foreign, to: getAddress(one.to) };
      return receipt ? [{ ...pooled, ...receipt, pooled, receipt }] : [];
    });
  }
}
