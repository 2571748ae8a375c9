import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as errors from '../../functions/domain/errors.ts';
import { type Definition, readDefinition, type State, targets } from './definition.ts';

const tasksOf = ({ States }: Definition): [string, State][] =>
  Object.entries(States).filter(([, { Type }]) => Type === 'Task');

describe.each(['attest', 'lane'])('%s', (name) => {
  const definition = readDefinition(name);
  const tasks = tasksOf(definition);

  test('goes only to states that exist', () => {
    const named = [definition.StartAt, ...Object.values(definition.States).flatMap(targets)];
    expect(named.filter((target) => !(target in definition.States))).toEqual([]);
  });

  test('reaches every state', () => {
    const reached = new Set<string>();
    const visit = (state: string): void => {
      if (reached.has(state)) return;
      reached.add(state);
      for (const target of targets(definition.States[state] ?? { Type: 'Absent' })) visit(target);
    };
    visit(definition.StartAt);
    expect([...reached].sort()).toEqual(Object.keys(definition.States).sort());
  });

  test('retries every task, catches what is left or says why not, and waits for none for ever', () => {
    expect(tasks.length).toBeGreaterThan(0);
    for (const [, { Retry, Catch, Comment, TimeoutSeconds }] of tasks) {
      expect(Retry?.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
      const caught = Catch?.at(-1)?.ErrorEquals.includes('States.ALL') ?? false;
      expect(caught || /nothing to catch|No Catch for the rest/.test(Comment ?? '')).toBe(true);
      expect(TimeoutSeconds).toBeDefined();
    }
  });

  test('matches only error names that the service throws or AWS documents', () => {
    const named = tasks
      .flatMap(([, { Retry = [], Catch = [] }]) => [...Retry, ...Catch])
      .flatMap((e) => e.ErrorEquals);
    const ours = named.filter((error) => !error.includes('.'));
    expect(ours.filter((error) => !(error in errors))).toEqual([]);
    for (const foreign of named.filter((error) => error.includes('.')))
      expect(foreign).toMatch(/^(?:States|Lambda|Sandbox|Runtime)\.\w+$/);
  });

  test('calls for each task the function of its name', () => {
    for (const [state, { Parameters }] of tasks) {
      expect(Parameters?.FunctionName).toBe(`\${${state}Function}`);
      const file = state.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
      expect(existsSync(`functions/workflow/${file}.ts`)).toBe(true);
    }
  });

  test('hands on ids, counters and names, never content or causes', () => {
    const ids = ['organizationId', 'id', 'taskToken', 'executionName', 'lane'];
    const allowed = [...ids, 'error', 'run', 'turn', 'definition'];
    const passed = tasks.flatMap(([, { Parameters }]) => Object.entries(Parameters?.Payload ?? {}));
    for (const [field, path] of passed) {
      expect(allowed).toContain(field.replace(/\.\$$/, ''));
      expect(path).not.toMatch(/Cause|content|metadata|salt/i);
    }
  });
});
