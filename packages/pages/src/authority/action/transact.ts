import type { RegistryCall } from 'imprimatur-verifier/delegation';
import { isHex, toFunctionSelector } from 'viem';
import { type Connection, firstAccount } from '../wallet/use-wallet.ts';
import type { WalletProvider } from '../wallet/wallets.ts';

const errorTexts = {
  'SenderUnauthorized(address,address)':
    'This account is neither the authority of the attestation nor its delegate.',
  'AttestationUnknown(uint256)': 'The registry has no such attestation.',
  'AttestationAlreadyRevoked(uint256)': 'The attestation is already revoked.',
  'RevocationPeriodOver(uint256)': 'The attestation is too old. It can be revoked only in the first 7 days.',
  'SignatureInvalid(address)': "The registry does not accept the wallet's signature for this account.",
  'NonceMismatched(address,uint256)': 'The delegation has changed in the meantime. Sign again.',
};

export class CallRefusedError extends Error {
  override name = 'CallRefusedError';
}

function* layersOf(error: unknown): Generator<unknown> {
  // Wallets wrap the node's error in `cause` or `data`.
  for (let layer = 0, next = error; layer < 6 && next; layer++) {
    yield next;
    if (typeof next !== 'object') return;
    next = Reflect.get(next, 'data') ?? Reflect.get(next, 'cause');
  }
}

function refusalText(error: unknown): string | undefined {
  for (const layer of layersOf(error)) {
    if (!isHex(layer) || layer.length < 10) continue;
    const matches = ([signature]: readonly string[]) => layer.startsWith(toFunctionSelector(signature ?? ''));
    return Object.entries(errorTexts).find(matches)?.[1] ?? 'The registry would reject the transaction.';
  }
  return undefined;
}

/** Simulates a call at the newest block, so that nobody pays for a failing one. @throws CallRefusedError */
export async function simulateCall({ wallet, account }: Connection, { to, data }: RegistryCall) {
  try {
    await wallet.provider.request({ method: 'eth_call', params: [{ from: account, to, data }, 'latest'] });
  } catch (error) {
    const text = refusalText(error);
    if (text) throw new CallRefusedError(text, { cause: error });
    throw error;
  }
}

/**
 * Checks the wallet's network and account again, because a wallet may change them without an event, and a transaction
 * does not name its network.
 * @throws CallRefusedError
 */
export async function checkWallet({ wallet: { provider }, account, chainId }: Connection): Promise<void> {
  if (Number(await provider.request({ method: 'eth_chainId' })) !== chainId)
    throw new CallRefusedError(
      'The wallet has switched to another network. Connect it again. Nothing was sent.',
    );
  if (firstAccount(await provider.request({ method: 'eth_accounts' })) !== account)
    throw new CallRefusedError(
      `The wallet's account is not ${account}. Choose that account in the wallet and connect it again. Nothing was sent.`,
    );
}

export async function sendCall(connection: Connection, call: RegistryCall): Promise<string> {
  const { wallet, account } = connection;
  await checkWallet(connection);
  await simulateCall(connection, call);
  // Check again, because the simulation may have taken a long time.
  await checkWallet(connection);
  const transaction = { from: account, to: call.to, data: call.data, value: '0x0' };
  return String(await wallet.provider.request({ method: 'eth_sendTransaction', params: [transaction] }));
}

const pollMilliseconds = 1_000;

const replacedText = 'The transaction was canceled or replaced in the wallet. Nothing changed.';

/** Number of checks that must show that another transaction used the nonce. A node of the wallet may lag. */
const pollsBeforeReplaced = 3;

/** Requests an object by transaction hash. Ignores errors, because the caller repeats the request. */
async function lookUp(provider: WalletProvider, method: string, hash: string): Promise<object | undefined> {
  const answer = await provider.request({ method, params: [hash] }).catch(() => null);
  return typeof answer === 'object' && answer !== null ? answer : undefined;
}

/** Whether the wallet is still on the network. Check this after a request, because an answer from another network is meaningless. */
async function isOnNetwork({ wallet: { provider }, chainId }: Connection): Promise<boolean> {
  return Number(await provider.request({ method: 'eth_chainId' }).catch(() => undefined)) === chainId;
}

/** Counts the account's mined transactions: all nonces below the count are used. Returns 0 if it is unknown. */
async function minedCount(connection: Connection): Promise<number> {
  const { wallet, account } = connection;
  const params = [account, 'latest'];
  const count = await wallet.provider
    .request({ method: 'eth_getTransactionCount', params })
    .catch(() => undefined);
  return (await isOnNetwork(connection)) ? Number(count ?? 0) : 0;
}

/**
 * Waits for a transaction's receipt, or for a replacement transaction, with which wallets speed up or cancel.
 * @param isDone whether the wanted change is on the chain, possibly by another transaction
 * @returns `undefined` if another transaction made the change
 * @throws CallRefusedError if the transaction was replaced without the change
 */
export async function waitForReceipt(connection: Connection, hash: string, isDone: () => Promise<boolean>) {
  const { provider } = connection.wallet;
  let nonce = Number.POSITIVE_INFINITY;
  for (let replacedPolls = 0; ; ) {
    const receipt = await lookUp(provider, 'eth_getTransactionReceipt', hash);
    if (receipt) {
      const succeeded = Number(Reflect.get(receipt, 'status')) === 1;
      return { succeeded, blockNumber: Number(Reflect.get(receipt, 'blockNumber')) };
    }
    if ((await isDone().catch(() => false)) && (await isOnNetwork(connection))) return undefined;
    if (replacedPolls === pollsBeforeReplaced) throw new CallRefusedError(replacedText);
    const pending = await lookUp(provider, 'eth_getTransactionByHash', hash);
    if (pending) nonce = Number(Reflect.get(pending, 'nonce'));
    if ((await minedCount(connection)) > nonce) replacedPolls++;
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
}
