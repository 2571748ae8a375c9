import { setTimeout as pause } from 'node:timers/promises';
import { SFNClient } from '@aws-sdk/client-sfn';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { localClient } from '../../../local/stack/local-client.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import { withinLimit } from '../report/present-table.ts';
import type { Bench, Cell, Table } from '../report/section.ts';
import { type History, otherExecutions, readHistory } from './read-history.ts';

/** The first attestation finds cold functions, and is not shown. */
const attestations = 4;

const maxAttestTransitions = 8;

/** Blocks of the chain come once a second here and functions start cold: both are well within this time. */
const timeoutSeconds = 120;

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

function lifeRow({ attest, lane }: Life, at: number): Cell[] {
  const entered = lane.flatMap((history) => history.entered);
  const laneRetries = lane.reduce((sum, { retries }) => sum + retries, 0);
  return [
    `${at + 1}`,
    attest.entered.length,
    attest.retries,
    attest.errors.join(', ') || 'none',
    attest.entered.join(' → '),
    withinLimit(attest.entered.length + attest.retries, maxAttestTransitions),
    lane.length,
    entered.filter((name) => name === 'AdvanceLane').length,
    entered.length,
    laneRetries,
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
  return [row('a tick that goes on, ', going), row('the last tick', last)];
}

/** Runs attestations one after another through the deployed state machines, and reads their histories. */
export async function measureTransitions({ stack: open, log }: Bench): Promise<Table[]> {
  const stack = await open();
  const states = new SFNClient(clientOptions(stack.endpoint));
  const lives: Life[] = [];
  for (let number = 0; number < attestations; number++) {
    log(`attestation ${number + 1} of ${attestations} through the state machines`);
    lives.push(await attestOne(stack, states, number));
  }
  states.destroy();
  const warm = lives.slice(1);
  return [
    {
      title: 'State transitions of single attestations, one after another',
      columns: [
        ...['attestation', 'attest: states', 'retries', 'after', 'entered', `≤ ${maxAttestTransitions}`],
        ...['lane: executions', 'ticks', 'states', 'retries of the lane'],
      ],
      rows: warm.map(lifeRow),
    },
    { title: "The lane's share", columns: ['tick', 'states', 'entered'], rows: tickRow(warm) },
  ];
}
