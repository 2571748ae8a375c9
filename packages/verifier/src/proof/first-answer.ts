import { withDeadline } from '../chain/deadline.ts';
import { NodeRefusalError, Provider, ProviderFaultError } from '../chain/provider.ts';
import { nameEndpoints, type RpcEndpoint } from '../chain/rpc-endpoint.ts';

/** No proof can be taken; the message is one line. */
export class ProofUnavailableError extends Error {
  override name = 'ProofUnavailableError';
}

/** Reads from one provider after another until one answers. @throws the error from `toError`, RpcUrlInvalidError */
export async function firstAnswer<Answer>(
  providers: readonly RpcEndpoint[],
  milliseconds: number,
  read: (provider: Provider) => Promise<Answer>,
  toError = (faults: string): Error => new ProofUnavailableError(`no provider returned a proof: ${faults}`),
): Promise<Answer> {
  const faults: string[] = [];
  for (const endpoint of nameEndpoints(providers)) {
    try {
      return await withDeadline(milliseconds, (deadline) => read(new Provider(endpoint, deadline, () => {})));
    } catch (error) {
      if (!(error instanceof NodeRefusalError || error instanceof ProviderFaultError)) throw error;
      faults.push(`${endpoint.name} ${error.message}`);
    }
  }
  throw toError(faults.join('; '));
}
