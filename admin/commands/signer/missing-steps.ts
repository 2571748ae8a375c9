import type { Address } from 'viem';
import type { Chain } from '../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { type AdminCall, adminCall, adminCallText } from './admin-call.ts';

type Confirmations = ChainSettings['confirmations'];

/** A step that is still to be done on the chain before a key can send through its forwarders. */
export type MissingStep =
  | { readonly step: 'fund'; readonly address: Address }
  | { readonly step: 'addOperator'; readonly call: AdminCall }
  | { readonly step: 'finality'; readonly forwarderAddress: Address; readonly confirmations: Confirmations };

/**
 * Finds the missing steps, in the order in which they can be done. None are missing when the key is funded and, at the
 * final block, an operator of every forwarder.
 */
export async function missingSteps(
  chain: Chain,
  address: Address,
  forwarders: readonly Address[],
): Promise<MissingStep[]> {
  const { balance } = await chain.feeData(address);
  const operatorSteps = await Promise.all(
    forwarders.map((forwarder) => operatorStep(chain, address, forwarder)),
  );
  return [...(balance === 0n ? [{ step: 'fund', address } as const] : []), ...operatorSteps.flat()];
}

async function operatorStep(
  chain: Chain,
  address: Address,
  forwarderAddress: Address,
): Promise<MissingStep[]> {
  if (!(await chain.isOperator(forwarderAddress, address))) {
    return [{ step: 'addOperator', call: adminCall('addOperator', forwarderAddress, address) }];
  }
  const { confirmations } = chain.settings;
  const isFinal = await chain
    .atFinal((view) => view.isOperator(forwarderAddress, address))
    .catch(unreachable);
  return isFinal ? [] : [{ step: 'finality', forwarderAddress, confirmations }];
}

/** A forwarder that was just deployed does not exist yet at the final block. */
function unreachable(error: unknown): false {
  if (error instanceof ChainUnreachableError) return false;
  throw error;
}

export function missingStepText(missing: MissingStep): string {
  if (missing.step === 'fund') return `Fund ${missing.address}: it pays for what it sends.`;
  if (missing.step === 'addOperator') return adminCallText(missing.call);
  const { forwarderAddress, confirmations } = missing;
  const depth = confirmations === 'finalized' ? confirmations : `${confirmations} blocks deep`;
  return `The forwarder ${forwarderAddress} takes its calls, but not ${depth} yet: wait.`;
}
