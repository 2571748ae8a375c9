import { readFileSync } from 'node:fs';

export interface Handling {
  readonly ErrorEquals: readonly string[];
  readonly MaxAttempts?: number;
  readonly IntervalSeconds?: number;
  readonly BackoffRate?: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: 'FULL' | 'NONE';
  readonly Next?: string;
}

export interface State {
  readonly Type: string;
  readonly Comment?: string;
  readonly Resource?: string;
  readonly Parameters?: { readonly FunctionName: string; readonly Payload: Readonly<Record<string, string>> };
  readonly TimeoutSeconds?: number | string;
  readonly Retry?: readonly Handling[];
  readonly Catch?: readonly Handling[];
  readonly Choices?: readonly { readonly Next: string }[];
  readonly Default?: string;
  readonly Next?: string;
  readonly End?: true;
}

export interface Definition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

export function readDefinition(name: string): Definition {
  return JSON.parse(readFileSync(`statemachine/${name}.asl.json`, 'utf8'));
}

/** Every state that may come right after this one. */
export function targets(state: State): string[] {
  const named = [state.Next, state.Default, ...(state.Choices ?? []).map(({ Next }) => Next)];
  return [...named, ...(state.Catch ?? []).map(({ Next }) => Next)].filter((name) => name !== undefined);
}
