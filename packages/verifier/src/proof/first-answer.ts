import { withDeadline } from '../chain/deadline.ts';
import { NodeRefusalError, Provider, ProviderFaultError } from '../chain/provider.ts';
import { nameEndpoints, type RpcEndpoint } from '../chain/rpc-endpoint.ts';

/** A proof that cannot be taken; the message is one line. */
export class ProofUnavailableError extends Error {
  override name = 'ProofUnavailableError';
}

/** Asks one provider after the other until one answers. @throws the error of `refused`, RpcUrlInvalidError */
export async function firstAnswer<Answer>(
  providers: readonly RpcEndpoint[],
  milliseconds: number,
  ask: (provider: Provider) => Promise<Answer>,
  refused = (faults: string): Error => new ProofUnavailableError(`no provider returned a proof: ${faults}`),
): Promise<Answer> {
  const faults: string[] = [];
  for (const endpoint of nameEndpoints(providers)) {
    try {
      return await withDeadline(milliseconds, (deadline) => ask(new Provider(endpoint, deadline, () => {})));
    } catch (error) {
      if (!(error instanceof NodeRefusalError || error instanceof ProviderFaultError)) throw error;
      faults.push(`${endpoint.name} ${error.message}`);
    }
  }
  throw refused(faults.join('; '));
}
