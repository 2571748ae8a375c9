import { candidatesOf } from './candidates.ts';
import { dropOperation, mayFail } from './drop-operation.ts';
import { type LaneState, parseLane, type Queue } from './lane.ts';
import type { Chain } from './ports.ts';
import { listOperations } from './queue-records.ts';
import type { Services } from './services.ts';
import { tryAgain } from './verdict.ts';

/** Operations ended in one turn. */
const atOnce = 96;

/**
 * Ends what waits to be sent as a key that was revoked: nobody else can send it, so its authorities have to delegate to
 * another. What goes through a forwarder is not touched: another signer sends it.
 */
export async function refuseUnsendable(services: Services, chain: Chain, state: LaneState): Promise<void> {
  if (state.retired !== 'revoked') return;
  const { chainId, signerAddress: delegateAddress } = parseLane(state.lane);
  const queue: Queue = { chainId, delegateAddress };
  const operations = await listOperations(services.records, queue, undefined, atOnce);
  const candidates = await candidatesOf(services, queue, operations);
  for (const candidate of candidates.filter(mayFail)) {
    const { operation } = candidate;
    const again = tryAgain(operation.kind);
    const reason = `the key ${delegateAddress} was withdrawn on chain ${chainId}; delegate to another address and ${again}`;
    await dropOperation(services, chain, candidate, { kind: 'refused', reason });
  }
}
