import type { Transport } from 'viem';
import type * as z from 'zod';

/** A provider's answer is not of the form that the method has: as good as none. */
export class AnswerMalformedError extends Error {
  override readonly name = 'AnswerMalformedError';
  constructor(method: string) {
    super(`a provider answers ${method} with something else`);
  }
}

/**
 * One JSON-RPC call to one provider, its answer parsed. Calls made at once share one HTTP request.
 *
 * @throws AnswerMalformedError, and viem's errors
 */
export type Rpc = <Answer>(
  method: string,
  params: readonly unknown[],
  schema: z.ZodType<Answer>,
) => Promise<Answer>;

/** The provider at the other end of the transport. */
export function connectRpc(transport: Transport): Rpc {
  const { request } = transport({});
  return async (method, params, schema) => {
    const answer = schema.safeParse(await request({ method, params }));
    if (!answer.success) throw new AnswerMalformedError(method);
    return answer.data;
  };
}
