import { expect, test } from 'vitest';
import { TurnRefusedError, Turns } from '../../../local/door/turns.ts';

const never = new AbortController().signal;

/** Lets all go on that waits for nothing but its turn. */
const soon = () => new Promise(setImmediate);

/** Work that ends when it is told to. */
function works(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, signal = never) =>
    turns.run(signal, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string) => {
    await soon();
    ends.get(name)?.();
  };
  return { begun, run, end };
}

test('the others wait, and have their turn in the order in which they came', async () => {
  const { begun, run, end } = works(new Turns(2, 10));
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name));
  await soon();
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  await all[1];
  await soon();
  expect(begun).toEqual(['a', 'b', 'c']);
  const late = run('late');
  for (const name of ['a', 'c', 'd', 'e']) {
    await end(name);
    await all['abcde'.indexOf(name)];
  }
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'late']);
  await end('late');
  await late;
});

test('who leaves gives up the turn, and only that', async () => {
  const { begun, run, end } = works(new Turns(1, 2));
  const first = run('first');
  const left = new AbortController();
  const leaving = run('leaving', left.signal);
  const last = run('last');
  left.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  // There is room again for one that waits.
  const later = run('later');
  for (const [name, work] of Object.entries({ first, last, later })) {
    await end(name);
    await work;
  }
  expect(begun).toEqual(['first', 'last', 'later']);
});

test('more than may wait are refused, until one has had its turn', async () => {
  const { run, end } = works(new Turns(1, 1));
  const first = run('first');
  const second = run('second');
  await expect(run('third')).rejects.toThrow(TurnRefusedError);
  await end('first');
  await first;
  const third = run('third');
  for (const [name, work] of Object.entries({ second, third })) {
    await end(name);
    await work;
  }
});

test('work that fails gives its turn to the next', async () => {
  const turns = new Turns(1, 1);
  const failed = turns.run(never, () => Promise.reject(new Error('failed')));
  const next = turns.run(never, async () => 'next');
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('next');
});
