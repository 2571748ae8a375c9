import type { ChainSettings } from '../functions/domain/settings.ts';
import type { Desk } from './desk.ts';
import { ChainNotOfferedError } from './errors.ts';

/** The settings of a chain that the deployment serves. @throws ChainNotOfferedError naming those it does. */
export async function offeredChain(desk: Desk, chainId: number): Promise<ChainSettings> {
  const { chains } = await desk.settings();
  const chain = chains.find((one) => one.chainId === chainId);
  if (!chain) throw new ChainNotOfferedError(chainId, chains);
  return chain;
}
