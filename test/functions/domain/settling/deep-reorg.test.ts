import { expect, test } from 'vitest';
import { activateSigner, revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { resumeLane, resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Reorg } from '../../../fakes/chain/simulated-blocks.ts';
import { checkOutcomes } from '../../../fakes/checks/outcome-checks.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { addKey } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId } from '../../../fakes/world/world.ts';

const modes = [{ forwarder: false }, { forwarder: true }];

/** Reorgs that drop the transactions, return them to the pool, or mine them again at the same heights. */
const reorgs: readonly Reorg[] = [{ drop: true }, {}, { remine: true, delaySeconds: 1 }];

/** Starts a service whose chain can be set back to a marked height. */
function start(options: Parameters<typeof runService>[1] = {}) {
  const service = runService(undefined, { confirmations: 3, ...options });
  const { world, services, queue, untilIdle } = service;
  const second = addKey(world);
  let height = world.chain.newest.number;
  const advance = (seconds: number) => queue.until(async () => false, seconds);
  return {
    ...service,
    ...{ second, advance },
    replaceSigner: () => activateSigner(services, chainId, second),
    mark: () => {
      height = world.chain.newest.number;
    },
    setBack: (how: Reorg) => world.chain.reorganize(world.chain.newest.number - height, how),
    confirm: async (...texts: string[]) => {
      const rows = await Promise.all(
        texts.flatMap((text) =>
          [alice, bob].map(async (caller) => (await service.post(caller, text)).attestation),
        ),
      );
      expect(await untilIdle()).toBe(true);
      return rows;
    },
    /** A foreign transaction takes the lane's next nonce, and an operator resyncs once it is final. */
    spendAndResync: async () => {
      world.chain.spendNonce(world.signer.address);
      await advance(120);
      await resyncLane(services, world.lane);
    },
    /** The next transaction loses its nonce to a foreign one, and an operator resumes the lane. */
    loseNonce: async (text: string) => {
      world.chain.minTip = 10n ** 15n;
      await service.post(alice, text);
      await advance(4);
      world.chain.minTip = 0n;
      world.chain.spendNonce(world.signer.address);
      await advance(120);
      expect((await world.lanes())[0]?.paused).toContain('another program');
      await resumeLane(services, world.lane);
      expect(await untilIdle()).toBe(true);
    },
    finishAndCheck: async () => {
      await advance(150);
      await service.finishAndCheck(4 * 3600);
    },
  };
}

type MarkedService = ReturnType<typeof start>;

test.each(modes.flatMap((mode) => reorgs.map((how) => ({ mode, how }))))(
  'an idle lane is consistent after a deep reorg: %j',
  async ({ mode, how }) => {
    const { confirm, mark, setBack, finishAndCheck } = start(mode);
    await confirm('before');
    mark();
    await confirm('one', 'two');
    setBack(how);
    await finishAndCheck();
  },
);

test.each(reorgs)('a draining lane is consistent after a deep reorg: %j', async (how) => {
  const { confirm, replaceSigner, mark, setBack, post, advance, finishAndCheck, world } = start({
    forwarder: true,
  });
  mark();
  await confirm('one');
  await replaceSigner();
  await post(alice, 'two');
  await post(bob, 'two');
  await advance(30);
  setBack(how);
  await post(alice, 'three');
  await finishAndCheck();
  expect(world.log.messages('error')).toContain('reorg deeper than confirmations');
});

test.each(reorgs)('a revoked lane is consistent after a deep reorg: %j', async (how) => {
  const { confirm, replaceSigner, mark, setBack, finishAndCheck, world, services } = start({
    forwarder: true,
  });
  mark();
  await confirm('one');
  await replaceSigner();
  await revokeSigner(services, chainId, world.signer.address);
  world.chain.removeOperator(world.delegateAddress, world.signer.address);
  setBack(how);
  await finishAndCheck();
});

/** Ways in which a lane with confirmed attestations can lose nonces. */
const histories = {
  'lost a nonce between final transactions': async ({ confirm, loseNonce }: MarkedService) => {
    await loseNonce('lost');
    await confirm('three');
  },
  'skipped its newest nonce': ({ spendAndResync }: MarkedService) => spendAndResync(),
  'skipped a nonce between final transactions': async ({ confirm, spendAndResync }: MarkedService) => {
    await spendAndResync();
    await confirm('two');
  },
};

const historyCases = modes.flatMap((mode) =>
  reorgs.flatMap((how) =>
    Object.entries(histories).map(([description, loseNonces]) => ({ description, mode, how, loseNonces })),
  ),
);

test.each(historyCases)(
  'a lane that $description is consistent after a deep reorg: $mode $how',
  async ({ mode, how, loseNonces }) => {
    const service = start(mode);
    service.mark();
    await service.confirm('one');
    await loseNonces(service);
    service.setBack(how);
    await service.finishAndCheck();
  },
);

test.each(modes)('a lane is consistent after three deep reorgs with different outcomes: %j', async (mode) => {
  const { confirm, mark, setBack, advance, finishAndCheck } = start(mode);
  mark();
  await confirm('one');
  for (let time = 0; time < 2; time++) {
    // All transactions are mined in one block, which is too early for the reveals.
    setBack({});
    await advance(150);
  }
  setBack({ drop: true });
  await finishAndCheck();
});

test.each(modes)('a row shows the older attempt that the new branch mined: %j', async (mode) => {
  const { confirm, mark, setBack, post, advance, untilIdle, finishAndCheck, world } = start(mode);
  await confirm('before');
  mark();
  world.chain.minTip = 3n * 10n ** 9n;
  const { attestation } = await post(alice, 'one');
  await advance(4);
  const sent = world.chain.mempool.nonces();
  const first = world.chain.mempool.find(world.signer.address, sent[0] ?? 0);
  expect(await untilIdle()).toBe(true);
  expect((await world.row(attestation)).commitTxHash).not.toBe(first?.hash);
  setBack({ drop: true });
  world.chain.minTip = 0n;
  if (first) await world.chain.send(first.raw);
  await finishAndCheck();
  expect((await world.row(attestation)).commitTxHash).toBe(first?.hash);
});

test('an attestation that is revealed again shows its new time, although another provider lags', async () => {
  const { world, mark, confirm, setBack, advance } = start();
  const { chain } = world;
  mark();
  await confirm('one');
  const atFinal = chain.atFinal.bind(chain);
  chain.atFinal = async (query) => {
    chain.lagBlocks = 3;
    try {
      return await atFinal(query);
    } finally {
      chain.lagBlocks = 0;
    }
  };
  setBack({});
  await advance(120);
  await checkOutcomes(world);
});
