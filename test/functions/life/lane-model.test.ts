import fc, { type AsyncCommand, asyncModelRun } from 'fast-check';
import { test, vi } from 'vitest';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { ExpectedError } from '../../../functions/domain/errors.ts';
import { cancelTransaction } from '../../../functions/domain/operator/cancel-transaction.ts';
import { pauseLane, resumeLane, resyncLane } from '../../../functions/domain/operator/lane-control.ts';
import { createAttestation } from '../../../functions/domain/requests/create-attestation.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import { watchSends } from '../../fakes/checks/outcome-checks.ts';
import { seededRandom } from '../../fakes/ports/seeded-random.ts';
import { dispatchQueue } from '../../fakes/world/dispatch-queue.ts';
import { cases, soakTimeout } from '../../fakes/world/soak.ts';
import { tick } from '../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../fakes/world/world.ts';
import { checkDone, checkLane, type LaneModel } from './lane-model.ts';

const gwei = 1_000_000_000n;
const plenty = 10n ** 27n;

/** Below what the model's worlds call final. */
const deepestReorganisation = 2;

type Act = (world: World, model: LaneModel) => unknown;

/** One thing that happens to a lane, or that somebody does to it; after it what must hold always is looked at. */
function command(name: string, act: Act): AsyncCommand<LaneModel, World> {
  return {
    check: () => true,
    run: async (model, world) => {
      await act(world, model);
      await checkLane(model, world);
    },
    toString: () => name,
  };
}

/** Whoever does it may be told that it cannot be done now. */
async function unlessRefused(act: Promise<unknown>): Promise<void> {
  try {
    await act;
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
  }
}

const queue =
  (isAlice: boolean): Act =>
  async (world, { owed, random }) => {
    const services = { ...world.services, random };
    const content = parseContent(`article ${owed.size}`);
    const { attestation } = await createAttestation(services, isAlice ? alice : bob, { content });
    await queueOperation(services, attestation, 'commit');
    owed.set(attestation.id, attestation.organizationId);
  };

function mineReverting(world: World, model: LaneModel): void {
  model.revertingBlocks++;
  world.chain.revertsAll = true;
  world.mine();
  world.chain.revertsAll = false;
}

function spendNonce({ chain, signer }: World): void {
  // Whoever has the key has money too.
  chain.setBalance(signer.address, plenty);
  chain.spendNonce(signer.address);
}

const constant = (name: string, act: Act) => fc.constant(command(name, act));

/** All that may happen, each with what it is done with. */
const laneCommands = [
  fc.boolean().map((isAlice) => command(`queue for ${isAlice ? 'alice' : 'bob'}`, queue(isAlice))),
  constant('dispatch', ({ services, queue: waiting }) => dispatchQueue(services, waiting).catch(() => {})),
  constant('tick', (world) => unlessRefused(tick(world))),
  constant('mine', ({ mine }) => mine()),
  constant('mine, all reverting', mineReverting),
  fc
    .record({
      depth: fc.integer({ min: 1, max: deepestReorganisation }),
      drop: fc.boolean(),
      remine: fc.boolean(),
    })
    .map(({ depth, ...how }) =>
      command(`reorganise ${depth} ${JSON.stringify(how)}`, ({ chain }) => chain.reorganise(depth, how)),
    ),
  fc.nat(9).map((nonce) => command(`drop ${nonce} from the pool`, ({ chain }) => chain.mempool.drop(nonce))),
  fc.constantFrom(1, 10, 30, 300).map((fee) =>
    command(`base fee ${fee} gwei`, ({ chain }) => {
      chain.baseFee = BigInt(fee) * gwei;
    }),
  ),
  fc
    .constantFrom(0n, 10n ** 15n, 10n ** 16n, plenty)
    .map((wei) => command(`balance ${wei}`, ({ chain, signer }) => chain.setBalance(signer.address, wei))),
  fc
    .constantFrom(13, 61)
    .map((seconds) => command(`${seconds} s pass`, ({ clock }) => clock.advance(seconds))),
  constant('cancel the lowest', ({ services, lane }) => unlessRefused(cancelTransaction(services, lane))),
  constant('pause', ({ services, lane }) => unlessRefused(pauseLane(services, lane))),
  constant('resume', ({ services, lane }) => unlessRefused(resumeLane(services, lane))),
  constant('resync', ({ services, lane }) => unlessRefused(resyncLane(services, lane))),
  constant('somebody else uses the nonce', spendNonce),
];

/** Ends all trouble, then mines blocks and runs ticks until nothing is owed. */
async function drain(world: World): Promise<void> {
  const { chain, services, lane, signer } = world;
  chain.baseFee = 10n * gwei;
  chain.setBalance(signer.address, plenty);
  for (let block = 0; block < 200; block++) {
    await unlessRefused(resyncLane(services, lane));
    await unlessRefused(tick(world));
    if (!(await world.owes())) return;
    world.mine();
    world.clock.advance(13);
  }
}

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
