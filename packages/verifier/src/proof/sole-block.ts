import { findBlock } from '../chain/block.ts';
import { ProviderFaultError } from '../chain/provider.ts';
import type { RpcEndpoint } from '../chain/rpc-endpoint.ts';
import type { AttestationFacts } from '../verdict/verdict.ts';
import { firstAnswer, ProofUnavailableError } from './first-answer.ts';

/**
 * Number of the block of a reveal, where no other block is of that second; `undefined` too where no provider has the old
 * blocks.
 */
export async function findSoleBlock(
  { attestedAt, revealBlock }: AttestationFacts,
  providers: readonly RpcEndpoint[],
  timeoutMilliseconds: number,
): Promise<number | undefined> {
  if (!revealBlock) return undefined;
  const { number } = revealBlock;
  try {
    return await firstAnswer(providers, timeoutMilliseconds, async (provider) => {
      const [before, block] = [await findBlock(provider, number - 1), await findBlock(provider, number)];
      // Another provider may have them.
      if (!before || !block) throw new ProviderFaultError('lacks blocks');
      const isSole = before.timestamp < attestedAt && block.timestamp === attestedAt;
      return isSole ? number : undefined;
    });
  } catch (error) {
    if (error instanceof ProofUnavailableError) return undefined;
    throw error;
  }
}
