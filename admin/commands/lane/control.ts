import type { Command } from 'commander';
import type { LaneState } from '../../../functions/domain/lane/lane.ts';
import { cancelTransaction } from '../../../functions/domain/operator/cancel-transaction.ts';
import { pauseLane, resumeLane, resyncLane } from '../../../functions/domain/operator/lane-control.ts';
import { parseNonce, parseReason } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/connect.ts';
import { chosenLane, type LaneOptions, laneCommand } from './chosen-lane.ts';

const resyncDescription =
  'Go on behind transactions of the key that the lane does not know: somebody else made them, or the table was ' +
  'restored from a backup. Find out which it is first.';

export function laneControls(group: Command, act: Act): void {
  laneCommand(group, 'pause', 'Send nothing more. What is sent already goes on being settled.')
    .option('--reason <text>', 'shown by lane status, and in the log', parseReason)
    .action(act(pause));
  laneCommand(group, 'resume', 'Let a paused lane send again.').action(act(resume));
  laneCommand(group, 'cancel', 'Offer an empty transfer in place of an unmined transaction.')
    .option('--nonce <n>', 'which one (default: the lowest unmined)', parseNonce)
    .action(act(cancel));
  laneCommand(group, 'resync', resyncDescription).action(act(resync));
}

/** Answer with the lane's state after a command changed it. */
function laneAnswer(state: LaneState, sentence: string): CommandAnswer {
  const { lane, paused = null, retired = null } = state;
  const nonces = { next: state.nextNonce, mined: state.minedNonce, final: state.finalNonce };
  return { json: { lane, paused, retired, nonces }, text: `Lane ${lane} ${sentence}` };
}

async function cancel(
  deployment: Deployment,
  options: LaneOptions & { readonly nonce?: number },
): Promise<CommandAnswer> {
  const { services, lane } = await chosenLane(deployment, options);
  const { nonce } = await cancelTransaction(services, lane, options.nonce);
  const text =
    `Transaction ${nonce} of lane ${lane} is being cancelled. It or its cancellation will be mined; what it then has ` +
    'not done is queued again. lane status shows how it goes on.';
  return { json: { lane, nonce, cancelling: true }, text };
}

async function pause(
  deployment: Deployment,
  options: LaneOptions & { readonly reason?: string },
): Promise<CommandAnswer> {
  const { services, lane } = await chosenLane(deployment, options);
  const state = await pauseLane(services, lane, options.reason);
  return laneAnswer(state, `is paused: ${state.paused}`);
}

async function resume(deployment: Deployment, options: LaneOptions): Promise<CommandAnswer> {
  const { services, lane } = await chosenLane(deployment, options);
  const state = await resumeLane(services, lane);
  const retired =
    state.retired &&
    `, but its signer is ${state.retired}: nothing goes through a forwarder with it any more`;
  return laneAnswer(state, `is not paused${retired ?? ''}.`);
}

async function resync(deployment: Deployment, options: LaneOptions): Promise<CommandAnswer> {
  const { services, lane } = await chosenLane(deployment, options);
  const { heldBy = [], ...state } = await resyncLane(services, lane);
  const held =
    heldBy.length > 0
      ? ` Nothing that a restore left in no queue was queued again: ${heldBy.join(', ')} may hold it in open ` +
        'transactions. Use lane resync again when they are final.'
      : '';
  const { json, text } = laneAnswer(
    state,
    `goes on with nonce ${state.nextNonce}, and is not paused.${held}`,
  );
  return { json: { ...json, heldBy }, text };
}
