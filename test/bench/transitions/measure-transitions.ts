import { setTimeout as pause } from 'node:timers/promises';
import { SFNClient } from '@aws-sdk/client-sfn';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { localClient } from '../../../local/stack/local-client.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import { withinLimit } from '../report/present-table.ts';
import type { Bench, Cell, Table } from '../report/section.ts';
import { type History, otherExecutions, readHistory } from './read-history.ts';

/** The first attestation finds cold functions, and is not shown. */
const attestations = 3;

/** Depths at which a block is final. A block comes once a second here. */
const confirmations = [1, 12, 60];

const maxAttestTransitions = 8;

/** Target of an attestation alone, the lane included, whatever the confirmations. */
const maxAloneTransitions = 25;

/** Functions start cold, and a reveal is final a minute after it was mined: both are well within this time. */
const timeoutSeconds = 240;

interface Life {
  readonly attest: History;
  readonly lane: readonly History[];
}

async function attestOne(stack: Stack, states: SFNClient, number: number): Promise<Life> {
  const { AttestStateMachineArn, LaneStateMachineArn } = stack.outputs;
  const before = await otherExecutions(states, LaneStateMachineArn, []);
  const client = localClient(stack.file);
  const { id } = (await client.attest(`transitions ${number}`)).attestation;
  await client.waitUntilConfirmed(id, { timeoutSeconds });
  let lane = await otherExecutions(states, LaneStateMachineArn, before.arns);
  while (lane.running) {
    await pause(250);
    lane = await otherExecutions(states, LaneStateMachineArn, before.arns);
  }
  const attest = await otherExecutions(states, AttestStateMachineArn, []);
  const [own = ''] = attest.arns.filter((arn) => arn.endsWith(`:${id}-1`));
  return {
    attest: await readHistory(states, own),
    lane: await Promise.all(lane.arns.map((arn) => readHistory(states, arn))),
  };
}

function lifeRow(depth: number, { attest, lane }: Life, at: number): Cell[] {
  const entered = lane.flatMap((history) => history.entered);
  const laneRetries = lane.reduce((sum, { retries }) => sum + retries, 0);
  const own = attest.entered.length + attest.retries;
  const all = own + entered.length + laneRetries;
  return [
    depth,
    `${at + 1}`,
    attest.entered.length,
    attest.retries,
    attest.errors.join(', ') || 'none',
    withinLimit(own, maxAttestTransitions),
    lane.length,
    entered.filter((name) => name === 'AdvanceLane').length,
    entered.length,
    laneRetries,
    all,
    withinLimit(all, maxAloneTransitions),
  ];
}

/** States of the lane that a tick that goes on enters, as seen in the longest execution. */
function tickRow(lives: readonly Life[]): Cell[][] {
  const [longest] = lives.flatMap(({ lane }) => lane).sort((a, b) => b.entered.length - a.entered.length);
  const ticks = (longest?.entered ?? []).join(' → ').split(/(?<=Sleep) → /);
  const [going = ''] = ticks.filter((states) => states.endsWith('Sleep'));
  const last = ticks.at(-1) ?? '';
  const row = (name: string, states: string) => [
    name,
    states === '' ? 0 : states.split(' → ').length,
    states,
  ];
  return [row('a tick that goes on', going), row('the last tick', last)];
}

/** Runs attestations one after another through the state machines of a stack. The first finds them cold. */
async function measureLives(stack: Stack, depth: number, log: Bench['log']): Promise<Life[]> {
  const states = new SFNClient(clientOptions(stack.endpoint));
  const lives: Life[] = [];
  for (let number = 0; number < attestations; number++) {
    log(
      `attestation ${number + 1} of ${attestations} with ${depth} confirmations through the state machines`,
    );
    lives.push(await attestOne(stack, states, number));
  }
  states.destroy();
  return lives.slice(1);
}

/** Runs attestations through deployed state machines at several depths of finality, and reads their histories. */
export async function measureTransitions({ stackWith, log }: Bench): Promise<Table[]> {
  const rows: Cell[][] = [];
  let warm: Life[] = [];
  for (const depth of confirmations) {
    const stack = await stackWith(depth);
    try {
      warm = await measureLives(stack, depth, log);
      rows.push(...warm.map((life, at) => lifeRow(depth, life, at)));
    } finally {
      await stack.stop();
    }
  }
  return [
    {
      title: 'State transitions of single attestations, one after another',
      columns: [
        ...[
          'confirmations',
          'attestation',
          'attest: states',
          'retries',
          'after',
          `≤ ${maxAttestTransitions}`,
        ],
        ...['lane: executions', 'ticks', 'states', 'retries of the lane', 'all'],
        `≤ ${maxAloneTransitions}`,
      ],
      rows,
    },
    { title: "The lane's share", columns: ['tick', 'states', 'entered'], rows: tickRow(warm) },
  ];
}
