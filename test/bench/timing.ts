import { Bench, type Fn } from 'tinybench';

/** Median and greatest duration, in milliseconds. */
export interface Timing {
  readonly median: number;
  readonly worst: number;
}

/** Times each task, after one warmup. @throws the error of a task */
export async function timeTasks(
  tasks: ReadonlyMap<string, Fn>,
  iterations: number,
): Promise<Map<string, Timing>> {
  const bench = new Bench({ iterations, time: 0, warmupIterations: 1, warmupTime: 0, throws: true });
  for (const [name, run] of tasks) bench.add(name, run);
  await bench.run();
  return new Map(
    bench.tasks.map(({ name, result }) => {
      if (!('latency' in result)) throw new Error(`${name} was not timed: ${result.state}`);
      return [name, { median: result.latency.p50, worst: result.latency.max }];
    }),
  );
}
