import { postJsonRpc } from 'imprimatur-verifier';
import { type DelegationQuery, delegationTypedData, readDelegation } from 'imprimatur-verifier/delegation';
import { CommandError, UsageInvalidError } from '../errors.ts';
import type { CommandAnswer } from '../session.ts';
import { providersOf } from '../verifying/providers-of.ts';
import type { DelegateChoice, PlannedDelegation } from './instructions.ts';

const secondsPerDay = 86_400;

/** The typed data of one delegation, for a wallet to sign. */
export async function typedDataAnswer(
  delegations: readonly PlannedDelegation[],
  { days, rpc }: DelegateChoice,
): Promise<CommandAnswer> {
  const [delegation, ...others] = delegations;
  if (!delegation || others.length > 0)
    throw new UsageInvalidError('--typed-data is of one chain: name it with --chain');
  const { authorityAddress } = delegation;
  if (authorityAddress === undefined)
    throw new UsageInvalidError('--typed-data needs --authority where the service is not asked');
  const query = { ...delegation, authorityAddress };
  const { nonce } = await stateOf(query, providersOf(rpc, delegation.chainId, 'name one with --rpc'));
  if (nonce === undefined)
    throw new CommandError(
      `the registry ${delegation.registryAddress} takes no signed delegations: the authority sends a transaction itself`,
    );
  const deadline = Math.floor(Date.now() / 1000) + days * secondsPerDay;
  const json = delegationTypedData({ ...query, nonce, deadline });
  return {
    json,
    text: JSON.stringify(json, undefined, 2),
    notes: [
      'in a file delegation.json: cast wallet sign --data --from-file delegation.json --interactive',
      'then, by who sends it: admin delegation submit delegation.json --signature 0x… --key-file FILE',
    ],
  };
}

/** As the first provider tells it that answers for that chain. */
async function stateOf(query: DelegationQuery, providers: readonly string[]) {
  const { chainId, registryAddress } = query;
  for (const url of providers) {
    const request = (question: { method: string; params: readonly unknown[] }) => postJsonRpc(url, question);
    // An error's text is left out: it may hold the URL and so a key.
    const state = await readDelegation({ request }, query).catch(() => undefined);
    if (!state) continue;
    if (state.registry.version !== undefined) return state;
    throw new CommandError(
      `the contract ${registryAddress} on chain ${chainId} is no registry that is known here: sign nothing for it`,
    );
  }
  throw new CommandError(
    `no RPC provider answers for a registry at ${registryAddress} on chain ${chainId}; name another with --rpc`,
  );
}
