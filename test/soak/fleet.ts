import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type Life, liveAndReplay, type Task } from './life/seed.ts';

const startWorker = (): ChildProcess => fork(import.meta.filename);

/** Runs the lives of many seeds, as many at once as the machine has processors. */
export async function liveAll(tasks: readonly Task[], tell: (life: Life) => void): Promise<Life[]> {
  const waiting = [...tasks];
  const lives: Life[] = [];
  const work = async () => {
    let worker = startWorker();
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      if (!worker.connected) worker = startWorker();
      const life = await ask(worker, task);
      lives.push(life);
      tell(life);
    }
    if (worker.connected) worker.disconnect();
  };
  const workers = Math.min(tasks.length, availableParallelism());
  await Promise.all(Array.from({ length: workers }, work));
  return lives.sort((a, b) => a.seed - b.seed);
}

async function ask(worker: ChildProcess, task: Task): Promise<Life> {
  const answered = new AbortController();
  const { signal } = answered;
  const lost = once(worker, 'exit', { signal }).then(([code, killer]): [Life] => [
    { seed: task.seed, trace: '', tally: {}, failure: `its process ended with ${killer ?? code}` },
  ]);
  worker.send(task);
  try {
    const [life] = await Promise.race([once(worker, 'message', { signal }), lost]);
    return life;
  } finally {
    answered.abort();
  }
}

if (import.meta.main) {
  process.on('message', async (task: Task) => process.send?.(await liveAndReplay(task)));
  // The parent process is gone: everything that was started here ends with this process.
  process.once('disconnect', () => process.exit());
}
