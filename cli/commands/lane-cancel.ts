import type { Command } from 'commander';
import { cancelTransaction } from '../../functions/domain/lane-control-cancel.ts';
import type { Act, Answer } from '../answer.ts';
import { parseNonce } from '../arguments.ts';
import { chosenLane, type LaneOptions, laneCommand } from '../chosen-lane.ts';
import type { Desk } from '../desk.ts';

interface Options extends LaneOptions {
  readonly nonce?: number;
}

export function laneCancel(group: Command, act: Act): void {
  laneCommand(group, 'cancel', 'Offer an empty transfer in place of an unmined transaction.')
    .option('--nonce <n>', 'which one (default: the lowest unmined)', parseNonce)
    .action((options: Options) => act((desk) => cancel(desk, options)));
}

async function cancel(desk: Desk, options: Options): Promise<Answer> {
  const { services, lane } = await chosenLane(desk, options);
  const { nonce } = await cancelTransaction(services, lane, options.nonce);
  const text =
    `Transaction ${nonce} of lane ${lane} is being cancelled. It or its cancellation will be mined; what it then has ` +
    'not done is queued again. lane status shows how it goes on.';
  return { json: { lane, nonce, cancelling: true }, text };
}
