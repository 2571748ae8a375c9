import type { Address, Hex } from 'imprimatur-verifier';
import {
  type DelegationQuery,
  delegationTypedData,
  formatSignedDelegation,
  readDelegation,
  signedDelegationCall,
} from 'imprimatur-verifier/delegation';
import { CallRefusedError, checkWallet, simulateCall } from '../action/transact.ts';
import type { Connection } from '../wallet/use-wallet.ts';

const secondsPerDay = 86_400;

/** Signs a delegation or its revocation, and checks that the registry accepts it. @returns the file */
export async function signDelegation(
  connection: Connection,
  query: DelegationQuery,
  delegateAddress: Address | undefined,
  days: number,
): Promise<string> {
  const { provider } = connection.wallet;
  await checkWallet(connection);
  // Read again, because the delegation may have changed since the page loaded.
  const { nonce } = await readDelegation(provider, query).catch(async (error: unknown) => {
    // If the wallet has changed its network, report that instead.
    await checkWallet(connection);
    throw error;
  });
  if (nonce === undefined) throw new CallRefusedError('This registry does not support signed delegations.');
  const deadline = Math.floor(Date.now() / 1000) + days * secondsPerDay;
  const intent = { ...query, delegateAddress, nonce, deadline };
  const params = [connection.account, JSON.stringify(delegationTypedData(intent))];
  // Check again, because the read may have taken a long time.
  await checkWallet(connection);
  const signature = (await provider.request({ method: 'eth_signTypedData_v4', params })) as Hex;
  await simulateCall(connection, signedDelegationCall(intent, signature));
  return formatSignedDelegation({ intent, signature });
}
