import type { Address } from 'viem';
import { ExpectedError } from '../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { delegateAddresses } from '../../deployment/served-chain.ts';

/** Whom an authority delegates to on a chain, at its newest block, and whom it should. */
export interface DelegationStatus {
  readonly delegateAddress: Address | null;
  readonly expectedDelegateAddress: Address;
  readonly active: boolean;
}

export async function readDelegation(
  deployment: Deployment,
  settings: ChainSettings,
  authorityAddress: Address,
): Promise<DelegationStatus> {
  const [chain, own] = await Promise.all([deployment.chain(settings), deployment.signerAddress()]);
  const delegates = delegateAddresses(settings, own);
  const delegateAddress = await chain.delegateOf(authorityAddress);
  const active = delegateAddress !== null && delegates.includes(delegateAddress);
  // Another that is served is as good; whoever has none takes the newest.
  const expectedDelegateAddress = (active ? delegateAddress : delegates[0]) ?? own;
  return { delegateAddress, expectedDelegateAddress, active };
}

/** Of one chain of several: that it cannot be asked is an answer too. */
export interface ChainDelegation {
  readonly chainId: number;
  readonly name: string;
  readonly delegateAddress: Address | null;
  readonly expectedDelegateAddress: Address | null;
  /** `null` when the chain cannot be asked; `error` says why. */
  readonly active: boolean | null;
  readonly error: string | null;
}

/** On every chain served, all at once. */
export async function readDelegations(
  deployment: Deployment,
  authorityAddress: Address,
): Promise<ChainDelegation[]> {
  const { chains } = await deployment.settings();
  return Promise.all(
    chains.map(async (settings) => {
      const { chainId, name } = settings;
      const delegation = await readDelegation(deployment, settings, authorityAddress).catch(unknown);
      return { chainId, name, error: null, ...delegation };
    }),
  );
}

function unknown(error: unknown) {
  // An expected error's message is written for the operator, and holds no RPC URL.
  if (!(error instanceof ExpectedError)) throw error;
  return { delegateAddress: null, expectedDelegateAddress: null, active: null, error: error.message };
}
