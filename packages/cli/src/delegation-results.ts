import { fieldList } from 'imprimatur-terminal/text';
import { type Address, postJsonRpc } from 'imprimatur-verifier';
import {
  authorityLink,
  castCommand,
  type DelegationQuery,
  delegationCall,
  delegationTypedData,
  readDelegation,
} from 'imprimatur-verifier/delegation';
import { CommandError, UsageInvalidError } from './errors.ts';
import type { CommandResult } from './session.ts';
import { requireProviders } from './verifying/providers.ts';

export interface DelegateOptions {
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
  readonly name: string | undefined;
  readonly registryAddress: Address;
  readonly authorityAddress: Address | undefined;
  /** `undefined` to revoke the delegation. */
  readonly delegateAddress: Address | undefined;
  /** Whether the authority already delegates to the service; null if unknown. */
  readonly delegationActive: boolean | null;
}

/** Shows the transaction for each delegation, in every form that wallets, multisigs and scripts accept. */
export function instructionsResult(
  delegations: readonly PlannedDelegation[],
  { page, to, chain }: DelegateOptions,
): CommandResult {
  if (page !== undefined && !/^(https?|file):\/\//i.test(page))
    throw new UsageInvalidError('--page must be an http, https or file URL');
  const all = delegations.map((delegation) => withCall(delegation, page));
  const isSelected = to !== undefined || chain !== undefined;
  // A revocation needs instructions because the delegation is active.
  const needsNothing = (item: Instructions) => item.delegationActive && !isSelected && item.delegateAddress;
  const texts = all.map((item) => (needsNothing(item) ? doneText(item) : todoText(item)));
  const json = all.map(({ call: { signature, args, to: registry, data }, ...item }) => ({
    ...item,
    delegateAddress: item.delegateAddress ?? null,
    call: { signature, args, to: registry, value: '0', data },
  }));
  return { json: { delegations: json }, text: texts.join('\n\n') };
}

type Instructions = ReturnType<typeof withCall>;

function withCall(delegation: PlannedDelegation, page: string | undefined) {
  const { chainId, registryAddress, delegateAddress, authorityAddress } = delegation;
  const call = delegationCall(registryAddress, delegateAddress);
  const parts = {
    ...{ chainId, registryAddress },
    ...(delegateAddress && { delegateAddress }),
    ...(authorityAddress && { authorityAddress }),
  };
  const link = page === undefined ? undefined : authorityLink(page, parts);
  return { ...delegation, call, cast: castCommand(call, chainId), page: link };
}

const chainText = ({ chainId, name }: PlannedDelegation) =>
  name === undefined ? `Chain ${chainId}` : `${name} (chain ${chainId})`;

function stateText({ delegationActive }: PlannedDelegation): string {
  if (delegationActive === null) return 'delegation unknown';
  return delegationActive ? 'delegated to the service' : 'not delegated to the service';
}

function doneText(instructions: Instructions): string {
  return `${chainText(instructions)}: ${stateText(instructions)}.
Nothing to do: ${instructions.delegateAddress} may act for your authority.
To revoke the delegation: npx imprimatur delegate --revoke --chain ${instructions.chainId}`;
}

function todoText(instructions: Instructions): string {
  const { call, cast, page, authorityAddress, delegateAddress } = instructions;
  const effect =
    delegateAddress === undefined
      ? "revokes the delegation. Existing\nattestations stay; the service can attest nothing more in the authority's name."
      : "lets the delegate attest, link\nand revoke in the authority's name. The authority can revoke this at any time.";
  const fields = {
    from: authorityAddress ?? 'your authority',
    to: call.to,
    data: call.data,
    call: `${call.signature.replace(/\(.*/, '')}(${call.args.join(', ')}), no value`,
  };
  return [
    `${chainText(instructions)}: ${stateText(instructions)}.`,
    `One transaction of the authority ${effect}`,
    '',
    fieldList(fields),
    '',
    ...(page === undefined ? [] : ['With a wallet:', `  ${page}`]),
    'With cast (or with --ledger, --trezor, --account NAME instead of --interactive):',
    cast.replaceAll(/^/gm, '  '),
    'To sign only, and let an operator send and pay: --typed-data',
  ].join('\n');
}

const secondsPerDay = 86_400;

export async function typedDataResult(
  delegations: readonly PlannedDelegation[],
  { days, rpc }: DelegateOptions,
): Promise<CommandResult> {
  const [delegation, ...others] = delegations;
  if (!delegation || others.length > 0)
    throw new UsageInvalidError('--typed-data works for one chain; pass --chain');
  const { authorityAddress } = delegation;
  if (authorityAddress === undefined)
    throw new UsageInvalidError('--typed-data with --registry needs --authority');
  const query = { ...delegation, authorityAddress };
  const { nonce } = await readState(query, requireProviders(rpc, delegation.chainId, 'pass one with --rpc'));
  if (nonce === undefined)
    throw new CommandError(
      `the registry ${delegation.registryAddress} does not support signed delegations; send the transaction from the authority`,
    );
  const deadline = Math.floor(Date.now() / 1000) + days * secondsPerDay;
  const json = delegationTypedData({ ...query, nonce, deadline });
  return {
    json,
    text: JSON.stringify(json, undefined, 2),
    notes: [
      'save this as delegation.json and sign it: cast wallet sign --data --from-file delegation.json --interactive',
      'then the operator runs: admin delegation submit delegation.json --signature 0x… --key-file FILE',
    ],
  };
}

/** Returns the state from the first provider that answers for the chain. */
async function readState(query: DelegationQuery, providers: readonly string[]) {
  const { chainId, registryAddress } = query;
  for (const url of providers) {
    const request = (call: { method: string; params: readonly unknown[] }) => postJsonRpc(url, call);
    // The error is dropped because its text may contain the URL and therefore a key.
    const state = await readDelegation({ request }, query).catch(() => undefined);
    if (!state) continue;
    if (state.registry.version !== undefined) return state;
    throw new CommandError(
      `the contract ${registryAddress} on chain ${chainId} is not a known registry; do not sign anything for it`,
    );
  }
  throw new CommandError(
    `no RPC provider returns a registry at ${registryAddress} on chain ${chainId}; pass another with --rpc`,
  );
}
