import type { AwsEndpoint } from '../../local/emulator/aws-endpoint.ts';
import { liveRealSeed } from './life/real-seed.ts';
import { liveAndReplay } from './life/seed.ts';

/** What a worker is asked; without an emulator, on fakes. */
export interface Task {
  readonly seed: number;
  readonly emulator?: AwsEndpoint;
}

process.on('message', async ({ seed, emulator }: Task) => {
  process.send?.(emulator ? await liveRealSeed(seed, emulator) : await liveAndReplay(seed));
});

// Whoever asked is gone: what was started here goes with it.
process.once('disconnect', () => process.exit());
