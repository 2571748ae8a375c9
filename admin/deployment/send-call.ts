import { type Address, type Hash, type Hex, keccak256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain, Unsigned } from '../../functions/domain/chain.ts';
import { estimateFees } from '../../functions/domain/sending/fees.ts';
import { signedBytes, unsignedBytes } from '../../functions/domain/sending/raw-transaction.ts';
import { TransactionUnsentError } from '../terminal/errors.ts';

/** A call that an operator pays for with a key of their own. */
export interface OwnCall {
  readonly to: Address;
  readonly data: Hex;
  /** Sender's words for errors, such as "the admin's transaction". */
  readonly what: string;
}

/** The nonce of an account's next transaction, as far as its former ones are mined. */
export async function nextNonce(chain: Chain, { address }: PrivateKeyAccount): Promise<number> {
  const query = { signerAddress: address, hashes: [], blockNumbers: [] };
  return (await chain.snapshot(query)).minedCount;
}

/** Signs a call, not sent yet. @throws TransactionUnsentError when it would revert, or fees are too high. */
export async function signCall(
  chain: Chain,
  sender: PrivateKeyAccount,
  { to, data, what }: OwnCall,
  nonce: number,
): Promise<{ readonly hash: Hash; readonly raw: Hex }> {
  const { gas, failures, feeData } = await chain.simulate({ from: sender.address, to, data }, 'key');
  const [reason] = failures.values();
  if (gas === undefined) throw new TransactionUnsentError(what, to, reason ?? 'it would revert');
  const fees = estimateFees(feeData, chain.settings);
  if (!fees) throw new TransactionUnsentError(what, to, "fees are above the chain's cap");
  const { chainId } = chain.settings;
  const gasLimit = (gas * 13n) / 10n;
  return sign(sender, { ...fees, chainId, nonce, to, data, gasLimit });
}

async function sign(sender: PrivateKeyAccount, unsigned: Unsigned) {
  const signature = await sender.sign({ hash: keccak256(unsignedBytes(unsigned)) });
  const raw = signedBytes(unsigned, signature);
  return { hash: keccak256(raw), raw };
}
