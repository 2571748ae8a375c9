import { readFileSync } from 'node:fs';
import type { Executions } from '../../../functions/domain/services.ts';
import type { EventQueue } from './event-queue.ts';

type Json = Record<string, unknown>;

export interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds?: number;
  readonly BackoffRate?: number;
  readonly MaxAttempts?: number;
  readonly MaxDelaySeconds?: number;
  /** Ignored here: delays have no jitter. */
  readonly JitterStrategy?: 'FULL' | 'NONE';
}

interface Catcher {
  readonly ErrorEquals: readonly string[];
  readonly ResultPath: string;
  readonly Next: string;
}

export interface State {
  readonly Type: 'Task' | 'Wait' | 'Choice' | 'Succeed';
  readonly Comment?: string;
  readonly Resource?: string;
  readonly Parameters?: { readonly FunctionName: string; readonly Payload: Json };
  readonly ResultSelector?: Json;
  readonly ResultPath?: string | null;
  readonly TimeoutSeconds?: number | string;
  readonly TimestampPath?: string;
  readonly SecondsPath?: string;
  readonly Retry?: readonly Retrier[];
  readonly Catch?: readonly Catcher[];
  readonly Choices?: readonly { Variable: string; BooleanEquals: boolean; Next: string }[];
  readonly Default?: string;
  readonly Next?: string;
}

export interface Definition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

type Status = 'RUNNING' | 'SUCCEEDED' | 'FAILED';

interface Execution {
  readonly name: string;
  readonly definition: Definition;
  status: Status;
  /** Times in milliseconds since 1970. */
  readonly startedAt: number;
  endedAt?: number;
  data: Json;
  stateName: string;
  /** Attempts used of each retrier of the execution's state. */
  tried: Map<Retrier, number>;
  /** The task that the execution waits in; answers to any other are stale. */
  task: number;
}

/** Calls a Lambda function by the name of its substitution, such as `CommitFunction`. */
export type Lambda = (functionName: string, payload: Json) => Promise<unknown>;

/** An error like that of DescribeExecution when it does not know an execution yet. */
class ExecutionMissingError extends Error {
  override readonly name = 'ExecutionDoesNotExist';
}

export const readDefinition = (name: string): Definition =>
  JSON.parse(readFileSync(new URL(`../../../statemachine/${name}.asl.json`, import.meta.url), 'utf8'));

/** Default of `TimeoutSeconds` of a task with a token. */
const defaultTaskTimeoutSeconds = 300;

/** Runs the definitions of statemachine/ in simulated time. A function's error fails its task at once, as on AWS. */
export class StateMachines implements Executions {
  readonly executions = new Map<string, Execution>();
  /** Definitions of executions that are started from now on: a deployment replaces them. */
  readonly definitions = { attest: readDefinition('attest'), lane: readDefinition('lane') };
  /** Seconds by which `describe` is behind, as DescribeExecution may be. */
  describeLagSeconds = 0;
  readonly #queue: EventQueue;
  readonly #now: () => Date;
  readonly #lambda: Lambda;
  readonly #taskTimeoutSeconds: number;
  /** Executions in a task, by its number. */
  readonly #inTask = new Map<number, Execution>();
  #tasks = 0;
  #running = 0;
  #transitions = 0;

  constructor(
    queue: EventQueue,
    now: () => Date,
    lambda: Lambda,
    taskTimeoutSeconds = defaultTaskTimeoutSeconds,
  ) {
    this.#taskTimeoutSeconds = taskTimeoutSeconds;
    this.#queue = queue;
    this.#now = now;
    this.#lambda = lambda;
  }

  async startAttest({ organizationId, id, run }: { organizationId: string; id: string; run: number }) {
    return this.#start(`${id}-${run}`, this.definitions.attest, { organizationId, id });
  }

  async startLane({ lane, run }: { lane: string; run: number }) {
    return this.#start(`${lane}-${run}`, this.definitions.lane, { lane, run, turn: 0 });
  }

  async succeed(token: string, output: { revealAt?: string }): Promise<void> {
    const execution = this.#inTask.get(Number(token));
    if (execution) this.#endTask(execution, Number(token), () => this.#succeed(execution, output));
  }

  async fail(token: string, error: string): Promise<void> {
    const execution = this.#inTask.get(Number(token));
    if (execution) this.#endTask(execution, Number(token), () => this.#error(execution, error));
  }

  get running(): number {
    return this.#running;
  }

  /** Number of states entered by all executions together, with retries. Step Functions bills them. */
  get transitions(): number {
    return this.#transitions;
  }

  /** Describes an execution as it was some seconds ago; `undefined` when there is none, or was none then. */
  describe(name: string): Status | undefined {
    const execution = this.executions.get(name);
    const then = this.#now().getTime() - this.describeLagSeconds * 1000;
    if (!execution || execution.startedAt > then) return undefined;
    return (execution.endedAt ?? 0) > then ? 'RUNNING' : execution.status;
  }

  abort(name: string): void {
    const execution = this.executions.get(name);
    if (!execution) throw new Error(`no execution ${name}`);
    this.#close(execution, 'FAILED');
  }

  #start(name: string, definition: Definition, data: Json): 'running' | 'closed' {
    const known = this.executions.get(name);
    if (known) return this.#isDescribedRunning(known) ? 'running' : 'closed';
    const execution: Execution = {
      ...{ name, definition, data, status: 'RUNNING', startedAt: this.#now().getTime() },
      ...{ stateName: '', tried: new Map(), task: 0 },
    };
    this.executions.set(name, execution);
    this.#running++;
    this.#enter(execution, definition.StartAt);
    return 'running';
  }

  /** A start with the name of a running execution succeeds. If it is closed, the adapter reads its description. */
  #isDescribedRunning({ name, status }: Execution): boolean {
    const described = status === 'RUNNING' ? status : this.describe(name);
    if (described === undefined) throw new ExecutionMissingError(name);
    return described === 'RUNNING';
  }

  #enter(execution: Execution, stateName: string): void {
    execution.stateName = stateName;
    execution.tried = new Map();
    this.#queue.after(0, () => this.#run(execution));
  }

  #stateOf({ definition, stateName }: Execution): State {
    const state = definition.States[stateName];
    if (!state) throw new Error(`no state ${stateName}`);
    return state;
  }

  async #run(execution: Execution): Promise<void> {
    if (execution.status !== 'RUNNING') return;
    this.#transitions++;
    const state = this.#stateOf(execution);
    if (state.Type === 'Succeed') return this.#close(execution, 'SUCCEEDED');
    if (state.Type === 'Choice') return this.#choose(execution, state);
    if (state.Type === 'Wait') return this.#wait(execution, state);
    return this.#runTask(execution, state);
  }

  #close(execution: Execution, status: 'SUCCEEDED' | 'FAILED'): void {
    if (execution.status !== 'RUNNING') return;
    this.#running--;
    execution.status = status;
    execution.endedAt = this.#now().getTime();
    this.#leaveTask(execution);
  }

  #choose(execution: Execution, { Choices = [], Default }: State): void {
    const chosen = Choices.find(
      ({ Variable, BooleanEquals }) => valueAt(execution.data, Variable) === BooleanEquals,
    );
    this.#enter(execution, chosen?.Next ?? Default ?? '');
  }

  #wait(execution: Execution, { TimestampPath, SecondsPath, Next = '' }: State): void {
    const seconds = SecondsPath
      ? Number(valueAt(execution.data, SecondsPath))
      : (Date.parse(String(valueAt(execution.data, TimestampPath ?? ''))) - this.#now().getTime()) / 1000;
    if (Number.isNaN(seconds)) throw new Error(`${execution.stateName} has nothing to wait for`);
    this.#queue.after(Math.max(0, seconds), () => {
      if (execution.status === 'RUNNING') this.#enter(execution, Next);
    });
  }

  async #runTask(execution: Execution, state: State): Promise<void> {
    const task = ++this.#tasks;
    this.#leaveTask(execution);
    execution.task = task;
    this.#inTask.set(task, execution);
    const waits = state.Resource?.endsWith('.waitForTaskToken') ?? false;
    if (waits) {
      const timeout = Number(state.TimeoutSeconds) || this.#taskTimeoutSeconds;
      this.#queue.after(timeout, () =>
        this.#endTask(execution, task, () => this.#error(execution, 'States.Timeout')),
      );
    }
    try {
      const payload = this.#payload(execution, state, task);
      const result = await this.#lambda(nameOf(state), payload);
      if (!waits) this.#endTask(execution, task, () => this.#succeed(execution, { Payload: result }));
    } catch (error) {
      const { name } = error as Error;
      this.#endTask(execution, task, () => this.#error(execution, name));
    }
  }

  #payload(execution: Execution, { Parameters }: State, task: number): Json {
    const context = { Task: { Token: String(task) }, Execution: { Name: execution.name } };
    return select(Parameters?.Payload ?? {}, execution.data, context);
  }

  /** Only the task that the execution is in can end, and only once. */
  #endTask(execution: Execution, task: number, then: () => void): void {
    if (execution.status !== 'RUNNING' || execution.task !== task) return;
    this.#leaveTask(execution);
    then();
  }

  #leaveTask(execution: Execution): void {
    this.#inTask.delete(execution.task);
    execution.task = 0;
  }

  #succeed(execution: Execution, result: Json): void {
    const { ResultSelector, ResultPath = '$', Next } = this.#stateOf(execution);
    const selected = ResultSelector ? select(ResultSelector, result, {}) : result;
    if (ResultPath === '$') execution.data = selected;
    else if (ResultPath !== null) execution.data = { ...execution.data, [ResultPath.slice(2)]: selected };
    if (Next) this.#enter(execution, Next);
    else this.#close(execution, 'SUCCEEDED');
  }

  #error(execution: Execution, error: string): void {
    const { Retry = [], Catch = [] } = this.#stateOf(execution);
    const matches = ({ ErrorEquals }: { ErrorEquals: readonly string[] }) =>
      ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL');
    const retrier = Retry.find(matches);
    const tried = retrier ? (execution.tried.get(retrier) ?? 0) : 0;
    if (retrier && tried < (retrier.MaxAttempts ?? 3)) {
      execution.tried.set(retrier, tried + 1);
      this.#queue.after(delayOf(retrier, tried), () => this.#run(execution));
      return;
    }
    const catcher = Catch.find(matches);
    if (!catcher) {
      this.#close(execution, 'FAILED');
      return;
    }
    execution.data = { ...execution.data, [catcher.ResultPath.slice(2)]: { Error: error } };
    this.#enter(execution, catcher.Next);
  }
}

export function delayOf(
  { IntervalSeconds = 1, BackoffRate = 2, MaxDelaySeconds }: Retrier,
  tried: number,
): number {
  return Math.min(IntervalSeconds * BackoffRate ** tried, MaxDelaySeconds ?? Number.POSITIVE_INFINITY);
}

function nameOf({ Parameters }: State): string {
  return (Parameters?.FunctionName ?? '').slice(2, -1);
}

/** Returns the value at a path such as `$.commit.revealAt`. */
function valueAt(data: Json, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Json)[name], data);
}

/** Replaces fields such as `name.$` by values of the data, or of the context if the path begins with `$$`. */
function select(template: Json, data: Json, context: Json): Json {
  const entries = Object.entries(template).map(([name, value]) => {
    if (!name.endsWith('.$')) return [name, value];
    const path = String(value);
    return [name.slice(0, -2), path.startsWith('$$') ? valueAt(context, path.slice(1)) : valueAt(data, path)];
  });
  return Object.fromEntries(entries);
}
