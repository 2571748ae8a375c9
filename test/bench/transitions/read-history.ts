import {
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';

/** History of one execution. */
export interface History {
  /** Names of the states, in the order in which they were entered. */
  readonly entered: readonly string[];
  /** Tries of a task beyond the first; AWS bills each as a transition. */
  readonly retries: number;
  /** Names of the errors that ended tasks, or `States.Timeout`. */
  readonly errors: readonly string[];
}

/** Reads a history from events. @param events events of one execution, oldest first */
export function historyOf(events: readonly HistoryEvent[]): History {
  const entered = events.flatMap(({ type, stateEnteredEventDetails: details }) =>
    type?.endsWith('StateEntered') ? [details?.name ?? ''] : [],
  );
  const kinds = events.map(({ type }) => type);
  const tasks = kinds.filter((type) => type === 'TaskStateEntered').length;
  const tries = kinds.filter((type) => type === 'TaskScheduled').length;
  const errors = events.flatMap((event) => {
    if (event.type === 'TaskTimedOut') return ['States.Timeout'];
    return event.type === 'TaskFailed' ? [event.taskFailedEventDetails?.error ?? 'unnamed'] : [];
  });
  return { entered, retries: Math.max(0, tries - tasks), errors };
}

export async function readHistory(states: SFNClient, executionArn: string): Promise<History> {
  const events: HistoryEvent[] = [];
  let nextToken: string | undefined;
  do {
    const page = await states.send(
      new GetExecutionHistoryCommand({ executionArn, nextToken, maxResults: 1000 }),
    );
    events.push(...(page.events ?? []));
    nextToken = page.nextToken;
  } while (nextToken);
  return historyOf(events);
}

/** Lists the executions of a machine except for the known ones, and whether one of them still runs. */
export async function otherExecutions(states: SFNClient, stateMachineArn: string, known: readonly string[]) {
  const { executions = [] } = await states.send(
    new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 }),
  );
  const others = executions.filter(({ executionArn = '' }) => !known.includes(executionArn));
  return {
    arns: others.map(({ executionArn = '' }) => executionArn),
    running: others.some(({ status }) => status === 'RUNNING'),
  };
}
