import fc, { asyncModelRun } from 'fast-check';
import { test, vi } from 'vitest';
import { watchSends } from '../../fakes/checks/outcome-checks.ts';
import { seededRandom } from '../../fakes/ports/seeded-random.ts';
import { cases, soakTimeout } from '../../fakes/world/soak.ts';
import { makeWorld } from '../../fakes/world/world.ts';
import { drain, laneCommands } from './lane-commands.ts';
import { checkDone, type LaneModel } from './lane-model.ts';

vi.setConfig({ testTimeout: soakTimeout });

const world = fc.record({ forwarder: fc.boolean(), maxInFlight: fc.integer({ min: 1, max: 4 }) });
const commands = fc.commands(laneCommands, { maxCommands: 60, size: '+1' });

test('whatever happens to a lane in whatever order, each operation is done once and none is lost', async () => {
  const property = fc.asyncProperty(world, commands, async (given, happening) => {
    const real = makeWorld({ ...given, confirmations: 4 });
    watchSends(real);
    const below = seededRandom(1);
    const random = (size: number) => Uint8Array.from({ length: size }, () => below(256));
    const model: LaneModel = { owed: new Map(), revertingBlocks: 0, random };
    await asyncModelRun(() => ({ model, real }), happening);
    await drain(real);
    await checkDone(model, real);
  });
  await fc.assert(property, { numRuns: cases(200, 20_000) });
});
