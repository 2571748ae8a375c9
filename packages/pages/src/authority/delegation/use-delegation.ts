import {
  type DelegationQuery,
  type DelegationState,
  RegistryMissingError,
  readDelegation,
  WrongChainError,
} from 'imprimatur-verifier/delegation';
import { useEffect, useState } from 'preact/hooks';
import type { Target } from '../target/target.ts';
import type { Connection } from '../wallet/use-wallet.ts';
import { walletErrorText } from '../wallet/wallet-error.ts';

export interface CurrentDelegation {
  readonly query: DelegationQuery | undefined;
  /** `undefined` until it is read. */
  readonly state: DelegationState | undefined;
  readonly problem: string | undefined;
  refresh(): void;
}

function queryOf(connection: Connection | undefined, target: Target): DelegationQuery | undefined {
  const { chainId, registryAddress } = target;
  if (!connection || !registryAddress || connection.chainId !== chainId) return undefined;
  return { chainId, registryAddress, authorityAddress: connection.account };
}

interface ReadResult extends Pick<CurrentDelegation, 'state' | 'problem'> {
  /** Identifies the request. The page drops answers for another account, registry or chain. */
  readonly requestKey: string;
}

/** Reads the delegation of the connected account when the wallet is on the right chain. */
export function useCurrentDelegation(connection: Connection | undefined, target: Target): CurrentDelegation {
  const [result, setResult] = useState<ReadResult>();
  const [round, setRound] = useState(0);
  const query = queryOf(connection, target);
  const requestKey = JSON.stringify([connection?.wallet.id, query]);
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Omit<ReadResult, 'requestKey'>) => {
      if (isCurrent) setResult({ requestKey, ...next });
    };
    if (query && connection)
      readDelegation(connection.wallet.provider, query).then(
        (state) => show({ state, problem: undefined }),
        (error: unknown) => show({ state: undefined, problem: problemText(error) }),
      );
    return () => {
      isCurrent = false;
    };
  }, [requestKey, round]);
  const { state, problem } = result?.requestKey === requestKey ? result : {};
  return { query, state, problem, refresh: () => setRound((count) => count + 1) };
}

function problemText(error: unknown): string {
  if (error instanceof RegistryMissingError)
    return 'There is no registry at that address on this chain. Check the address and the chain ID.';
  if (error instanceof WrongChainError)
    return 'The wallet reports one network but answers for another. Choose the network again in the wallet.';
  return `The delegation cannot be read. ${walletErrorText(error)}`;
}
