import { type Address, type Hash, type Hex, keccak256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain, Unsigned } from '../../functions/domain/chain.ts';
import { estimateFees, policyFor } from '../../functions/domain/sending/fees.ts';
import { signedBytes, unsignedBytes } from '../../functions/domain/sending/raw-transaction.ts';
import { TransactionUnsentError } from '../terminal/errors.ts';

/** A call that an operator pays for with a key of their own. */
export interface OwnCall {
  readonly to: Address;
  readonly data: Hex;
  /** Sender's words for errors, such as "the admin's transaction". */
  readonly what: string;
}

/** Gas that no call of an operator's comes near. */
const mostGas = 1_000_000n;

/** The nonce of an account's next transaction, as far as its former ones are mined. */
export async function nextNonce(chain: Chain, { address }: PrivateKeyAccount): Promise<number> {
  const query = { signerAddress: address, hashes: [], blockNumbers: [] };
  return (await chain.snapshot(query)).minedCount;
}

/** Signs a call, not sent yet. @throws TransactionUnsentError when it would revert, or fees are too high. */
export async function signCall(
  chain: Pick<Chain, 'simulate' | 'settings'>,
  sender: PrivateKeyAccount,
  { to, data, what }: OwnCall,
  nonce: number,
): Promise<{ readonly hash: Hash; readonly raw: Hex }> {
  const { gas, failures, feeData } = await chain.simulate({ from: sender.address, to, data }, 'key');
  const [reason] = failures.values();
  if (gas === undefined) throw new TransactionUnsentError(what, to, reason ?? 'it would revert');
  const gasLimit = (gas * 13n) / 10n;
  // An account with code decides itself how much its signature takes to be checked.
  if (gasLimit > mostGas) throw new TransactionUnsentError(what, to, `it would take ${gas} gas`);
  const fees = estimateFees(feeData, policyFor(chain.settings, gasLimit));
  if (!fees) throw new TransactionUnsentError(what, to, "fees are above the chain's cap");
  const { chainId } = chain.settings;
  return sign(sender, { ...fees, chainId, nonce, to, data, gasLimit });
}

async function sign(sender: PrivateKeyAccount, unsigned: Unsigned) {
  const signature = await sender.sign({ hash: keccak256(unsignedBytes(unsigned)) });
  const raw = signedBytes(unsigned, signature);
  return { hash: keccak256(raw), raw };
}
