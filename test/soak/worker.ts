import type { AwsEndpoint } from '../../local/emulator/aws-endpoint.ts';
import { liveRealSeed } from './life/real-seed.ts';
import { liveAndReplay } from './life/seed.ts';

/** Task of a worker; without an emulator, on fakes. */
export interface Task {
  readonly seed: number;
  readonly emulator?: AwsEndpoint;
}

process.on('message', async ({ seed, emulator }: Task) => {
  process.send?.(emulator ? await liveRealSeed(seed, emulator) : await liveAndReplay(seed));
});

// The parent process is gone: everything that was started here ends with this process.
process.once('disconnect', () => process.exit());
