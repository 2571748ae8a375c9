import { setTimeout as pause } from 'node:timers/promises';
import {
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import { localClient } from '../../local/stack/local-client.ts';
import { type Stack, startStack } from '../../local/stack/stack.ts';
import { type Bench, type Cell, type Table, withinLimit } from './report.ts';

/** The first attestation finds cold functions, and is not shown. */
const attestations = 3;

/** Depths at which a block is final. A block comes once a second here. */
const confirmations = [1, 12, 60];

/** Targets of an attestation's execution, and of a single attestation with its lane. */
const limits = { attest: 8, withLane: 25 };

/** Functions start cold, and a reveal is final a minute after it was mined: both are well within this time. */
const timeoutSeconds = 240;

/** What AWS bills of an execution: the states entered, and each try of a task beyond its first. */
export interface Transitions {
  readonly entered: readonly string[];
  readonly retries: number;
}

/** Counts transitions. @param events all events of one execution */
export function transitionsOf(events: readonly Pick<HistoryEvent, 'type' | 'stateEnteredEventDetails'>[]) {
  const entered = events.flatMap(({ type, stateEnteredEventDetails: details }) =>
    type?.endsWith('StateEntered') ? [details?.name ?? ''] : [],
  );
  const count = (wanted: HistoryEvent['type']) => events.filter(({ type }) => type === wanted).length;
  return { entered, retries: Math.max(0, count('TaskScheduled') - count('TaskStateEntered')) };
}

async function readTransitions(states: SFNClient, executionArn: string): Promise<Transitions> {
  const events: HistoryEvent[] = [];
  let nextToken: string | undefined;
  do {
    const command = new GetExecutionHistoryCommand({ executionArn, nextToken, maxResults: 1000 });
    const page = await states.send(command);
    events.push(...(page.events ?? []));
    nextToken = page.nextToken;
  } while (nextToken);
  return transitionsOf(events);
}

/** Lists the executions of a machine. */
async function executionsOf(states: SFNClient, stateMachineArn: string) {
  const listed = await states.send(new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 }));
  return (listed.executions ?? []).map(({ executionArn = '', status }) => ({ executionArn, status }));
}

async function attestOne(stack: Stack, states: SFNClient, number: number) {
  const { AttestStateMachineArn, LaneStateMachineArn } = stack.outputs;
  const earlier = (await executionsOf(states, LaneStateMachineArn)).map(({ executionArn }) => executionArn);
  const ofLane = async () =>
    (await executionsOf(states, LaneStateMachineArn)).filter((one) => !earlier.includes(one.executionArn));
  const client = localClient(stack.file);
  const { id } = (await client.attest(`transitions ${number}`)).attestation;
  await client.waitUntilConfirmed(id, { timeoutSeconds });
  let lane = await ofLane();
  while (lane.some(({ status }) => status === 'RUNNING')) {
    await pause(250);
    lane = await ofLane();
  }
  const executions = await executionsOf(states, AttestStateMachineArn);
  const own = executions.find(({ executionArn }) => executionArn.endsWith(`:${id}-1`));
  return {
    attest: await readTransitions(states, own?.executionArn ?? ''),
    lane: await Promise.all(lane.map(({ executionArn }) => readTransitions(states, executionArn))),
  };
}

type Life = Awaited<ReturnType<typeof attestOne>>;

function lifeRow(depth: number, { attest, lane }: Life, at: number): Cell[] {
  const entered = lane.flatMap((execution) => execution.entered);
  const laneRetries = lane.reduce((sum, { retries }) => sum + retries, 0);
  const own = attest.entered.length + attest.retries;
  const all = own + entered.length + laneRetries;
  const ticks = entered.filter((name) => name === 'AdvanceLane').length;
  return [
    ...[depth, `${at + 1}`, attest.entered.length, attest.retries, withinLimit(own, limits.attest)],
    ...[lane.length, ticks, entered.length, laneRetries, all, withinLimit(all, limits.withLane)],
  ];
}

/** Runs attestations, one after another, through the state machines of a stack with so many confirmations. */
async function measureLives({ directory, log, signal }: Bench, depth: number): Promise<Cell[][]> {
  const place = { directory: `${directory}/${depth}`, variables: {}, log, signal };
  const stack = await startStack({ ...place, confirmations: depth, revealDelaySeconds: 2 });
  const states = new SFNClient(clientOptions(stack.endpoint));
  try {
    const lives: Life[] = [];
    for (let number = 1; number <= attestations; number++) {
      log(`attestation ${number} of ${attestations} with ${depth} confirmations through the state machines`);
      lives.push(await attestOne(stack, states, number));
    }
    return lives.slice(1).map((life, at) => lifeRow(depth, life, at));
  } finally {
    await stack.stop();
  }
}

/** Runs attestations through deployed state machines at several depths of finality, and reads their histories. */
export async function measureTransitions(bench: Bench): Promise<Table[]> {
  const rows: Cell[][] = [];
  for (const depth of confirmations) rows.push(...(await measureLives(bench, depth)));
  return [
    {
      title: 'State transitions of single attestations, one after another',
      columns: [
        ...['confirmations', 'attestation', 'attest: states', 'retries', `≤ ${limits.attest}`],
        ...['lane: executions', 'ticks', 'states', 'retries of the lane', 'all', `≤ ${limits.withLane}`],
      ],
      rows,
    },
  ];
}
