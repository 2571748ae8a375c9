import type { Address } from 'imprimatur-verifier';
import { addressIn } from 'imprimatur-verifier/delegation';
import { UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';

export interface DelegateChoice {
  readonly revoke?: true;
  readonly chain?: number;
  readonly to?: string;
  readonly registry?: string;
  readonly authority?: string;
  readonly page?: string;
  readonly typedData?: true;
  readonly days: number;
  readonly rpc?: readonly string[];
}

export interface PlannedDelegation {
  readonly chainId: number;
  /** Name of the chain, where the service was asked. */
  readonly name: string | undefined;
  readonly registryAddress: Address;
  readonly authorityAddress: Address | undefined;
  /** `undefined` when it is to be taken back. */
  readonly delegateAddress: Address | undefined;
  /** Whether the authority delegates to the service by now; null where nobody knows. */
  readonly delegationActive: boolean | null;
}

/** Finds what is to be delegated, and where: by the options alone with `--registry`, else by asking the service. */
export async function findDelegations(
  session: Session,
  choice: DelegateChoice,
): Promise<readonly PlannedDelegation[]> {
  if (choice.registry !== undefined) return [given(choice, choice.registry)];
  const authority = optionAddress('--authority', choice.authority);
  const to = optionAddress('--to', choice.to);
  const served = await session.client.chains({ signal: session.signal });
  const chosen = served.filter(({ chainId }) => choice.chain === undefined || chainId === choice.chain);
  if (chosen.length === 0) {
    const names = served.map(({ chainId, name }) => `${chainId} (${name})`).join(', ');
    throw new UsageInvalidError(`chain ${choice.chain} is not served; the service serves ${names}`);
  }
  return chosen.map(({ chainId, name, delegationActive, ...chain }) => ({
    ...{ chainId, name, delegationActive },
    registryAddress: servedAddress(chain.registryAddress),
    authorityAddress: authority ?? servedAddress(chain.authorityAddress),
    delegateAddress: choice.revoke ? undefined : (to ?? servedAddress(chain.delegateAddress)),
  }));
}

function given({ chain, revoke, ...choice }: DelegateChoice, registry: string): PlannedDelegation {
  if (chain === undefined) throw new UsageInvalidError('--registry needs --chain: the chain that it is on');
  const delegateAddress = optionAddress('--to', choice.to);
  if (delegateAddress === undefined && !revoke)
    throw new UsageInvalidError('--registry needs --to, the delegate, or --revoke');
  return {
    ...{ chainId: chain, name: undefined, delegationActive: null, delegateAddress },
    registryAddress: optionAddress('--registry', registry),
    authorityAddress: optionAddress('--authority', choice.authority),
  };
}

function optionAddress(option: string, text: string): Address;
function optionAddress(option: string, text: string | undefined): Address | undefined;
function optionAddress(option: string, text: string | undefined): Address | undefined {
  const address = text === undefined ? undefined : addressIn(text);
  if (text === undefined || address) return address;
  throw new UsageInvalidError(`${option} is not an address with a right checksum`);
}

/** Checked too: an address that is none would end in calldata that means something else. */
function servedAddress(text: string): Address {
  const address = addressIn(text);
  if (address) return address;
  throw new UsageInvalidError('the service names an address that is none; check IMPRIMATUR_URL');
}
