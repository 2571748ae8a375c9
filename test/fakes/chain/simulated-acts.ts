import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, encodeFunctionData, type Hash, type Hex, keccak256, toHex } from 'viem';
import type { Act } from './block-maker.ts';
import { ownAttestation } from './own-attestation.ts';
import { SimulatedBlocks } from './simulated-blocks.ts';

/** Actions of authorities, admins and others, each in its own block unless noted. */
export class SimulatedActs extends SimulatedBlocks {
  #spent = 0;

  /** Makes a registry call for an account outside the service, first in its block. @throws CallRevertedError */
  act(sender: Address, data: Hex): void {
    this.#mineWith((state, timestamp) => this.contracts.registry(state).execute(sender, data, timestamp));
  }

  delegate(authorityAddress: Address, delegateAddress: Address): void {
    const args = [delegateAddress] as const;
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'delegate', args }));
  }

  revokeDelegation(authorityAddress: Address): void {
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'revokeDelegation' }));
  }

  /** Attests content in three blocks: one for the commit, one after the reveal delay, and one for the reveal. */
  attest(authorityAddress: Address, digest: Hex, quoteRoot?: Hex): void {
    const own = ownAttestation(authorityAddress, digest, quoteRoot);
    this.act(authorityAddress, own.commit);
    this.mine(this.settings.revealDelaySeconds);
    this.act(authorityAddress, own.reveal);
  }

  revokeAttestation(authorityAddress: Address, attestationIndex: number): void {
    const args = [BigInt(attestationIndex)] as const;
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'revokeAttestation', args }));
  }

  /** Deploys a forwarder, without a block. */
  addForwarder(forwarderAddress: Address): void {
    this.amend((state) => state.set('forwarder', forwarderAddress, true));
  }

  addOperator(forwarderAddress: Address, signerAddress: Address): void {
    this.#mineWith((state) => state.set('operator', `${forwarderAddress} ${signerAddress}`, true));
  }

  removeOperator(forwarderAddress: Address, signerAddress: Address): void {
    this.#mineWith((state) => state.set('operator', `${forwarderAddress} ${signerAddress}`, undefined));
  }

  /** Sets a balance in wei at once, without a block. */
  setBalance(address: Address, wei: bigint): void {
    this.amend((state) => state.set('balance', address, wei));
  }

  /** Uses the sender's nonce as another holder of the key would. @throws Error when the account cannot pay for it */
  spendNonce(sender: Address): Hash {
    const nonce = this.stateAt(this.newest.number).get('nonce', sender) ?? 0;
    const raw = toHex(`${sender} ${nonce} ${this.#spent++}`);
    const hash = keccak256(raw);
    const { chainId } = this.settings;
    const { baseFee, minTip, legacy } = this;
    const price = baseFee + minTip;
    const fees = { maxFeePerGas: price, maxPriorityFeePerGas: legacy ? price : minTip, legacy };
    const transfer = { chainId, nonce, to: sender, data: '0x', gas: 21_000n } as const;
    this.mempool.put({ ...transfer, ...fees, sender, raw, hash, foreign: true });
    this.mine();
    if (!this.minedByHash(hash)) throw new Error(`${sender} cannot pay for a transaction`);
    return hash;
  }

  #mineWith(act: Act): void {
    this.mine(this.settings.blockTimeSeconds, [act]);
  }
}
