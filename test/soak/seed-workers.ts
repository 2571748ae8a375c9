import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { runSeed, type SeedRun, type Task } from './run/run-seed.ts';

const startWorker = (): ChildProcess => fork(import.meta.filename);

/** Runs many seeds, as many at once as the machine has processors. */
export async function runAllSeeds(
  tasks: readonly Task[],
  report: (run: SeedRun) => void,
): Promise<SeedRun[]> {
  const waiting = [...tasks];
  const runs: SeedRun[] = [];
  const work = async () => {
    let worker = startWorker();
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      if (!worker.connected) worker = startWorker();
      const run = await runTask(worker, task);
      runs.push(run);
      report(run);
    }
    if (worker.connected) worker.disconnect();
  };
  const workers = Math.min(tasks.length, availableParallelism());
  await Promise.all(Array.from({ length: workers }, work));
  return runs.sort((a, b) => a.seed - b.seed);
}

async function runTask(worker: ChildProcess, task: Task): Promise<SeedRun> {
  const finished = new AbortController();
  const { signal } = finished;
  const lost = once(worker, 'exit', { signal }).then(([code, killer]): [SeedRun] => [
    { seed: task.seed, trace: '', tally: {}, failure: `its process ended with ${killer ?? code}` },
  ]);
  worker.send(task);
  try {
    const [run] = await Promise.race([once(worker, 'message', { signal }), lost]);
    return run;
  } finally {
    finished.abort();
  }
}

if (import.meta.main) {
  process.on('message', async (task: Task) => process.send?.(await runSeed(task)));
  // The parent process has disconnected or ended: everything that was started here ends with this process.
  process.once('disconnect', () => process.exit());
}
