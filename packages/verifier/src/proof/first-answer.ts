import { withDeadline } from '../chain/deadline.ts';
import { NodeRefusalError, Provider, ProviderFaultError } from '../chain/provider.ts';
import { nameEndpoints, type RpcEndpoint } from '../chain/rpc-endpoint.ts';

/** A proof that cannot be taken; the message is one plain line. */
export class ProofUnavailableError extends Error {
  override name = 'ProofUnavailableError';
}

/** Asks the providers by turns, until one answers. @throws what `refused` makes from what each said; RpcUrlInvalidError */
export async function firstAnswer<Answer>(
  providers: readonly RpcEndpoint[],
  milliseconds: number,
  ask: (provider: Provider) => Promise<Answer>,
  refused = (said: string): Error => new ProofUnavailableError(`no provider returned a proof: ${said}`),
): Promise<Answer> {
  const said: string[] = [];
  for (const endpoint of nameEndpoints(providers)) {
    try {
      return await withDeadline(milliseconds, (deadline) => ask(new Provider(endpoint, deadline, () => {})));
    } catch (error) {
      if (!(error instanceof NodeRefusalError || error instanceof ProviderFaultError)) throw error;
      said.push(`${endpoint.name} ${error.message}`);
    }
  }
  throw refused(said.join('; '));
}
