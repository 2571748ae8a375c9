import { expect, test } from 'vitest';
import { activateSigner, revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { resumeLane, resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Reorg } from '../../../fakes/chain/simulated-blocks.ts';
import { checkRule } from '../../../fakes/checks/outcome-checks.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { addKey } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId } from '../../../fakes/world/world.ts';

const modes = [{ forwarder: false }, { forwarder: true }];

/** Manners of a reorg: all is dropped, waits again, or is mined again at the same heights. */
const manners: readonly Reorg[] = [{ drop: true }, {}, { remine: true, delaySeconds: 1 }];

/** A service whose chain remembers a height, to which it can be set back. */
function begin(given: Parameters<typeof runService>[1] = {}) {
  const service = runService(undefined, { confirmations: 3, ...given });
  const { world, services, queue, untilIdle } = service;
  const second = addKey(world);
  let height = world.chain.newest.number;
  const letPass = (seconds: number) => queue.until(async () => false, seconds);
  return {
    ...service,
    ...{ second, letPass },
    replaceSigner: () => activateSigner(services, chainId, second),
    /** The blocks from here on are replaced later. */
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
      await letPass(120);
      await resyncLane(services, world.lane);
    },
    /** The next transaction loses its nonce to a foreign one, and an operator resumes the lane. */
    loseNonce: async (text: string) => {
      world.chain.minTip = 10n ** 15n;
      await service.post(alice, text);
      await letPass(4);
      world.chain.minTip = 0n;
      world.chain.spendNonce(world.signer.address);
      await letPass(120);
      expect((await world.lanes())[0]?.paused).toContain('another program');
      await resumeLane(services, world.lane);
      expect(await untilIdle()).toBe(true);
    },
    endsByRule: async () => {
      await letPass(150);
      await service.endByRule(4 * 3600);
    },
  };
}

type Begun = ReturnType<typeof begin>;

test.each(modes.flatMap((mode) => manners.map((how) => ({ mode, how }))))(
  'an idle lane ends right after a deep reorg: %j',
  async ({ mode, how }) => {
    const { confirm, mark, setBack, endsByRule } = begin(mode);
    await confirm('before');
    mark();
    await confirm('one', 'two');
    setBack(how);
    await endsByRule();
  },
);

test.each(manners)('a draining lane is consistent while another is active: %j', async (how) => {
  const { confirm, replaceSigner, mark, setBack, post, letPass, endsByRule, world } = begin({
    forwarder: true,
  });
  mark();
  await confirm('one');
  await replaceSigner();
  await post(alice, 'two');
  await post(bob, 'two');
  await letPass(30);
  setBack(how);
  await post(alice, 'three');
  await endsByRule();
  expect(world.log.messages('error')).toContain('reorg deeper than confirmations');
});

test.each(manners)('a revoked lane is consistent after a deep reorg: %j', async (how) => {
  const { confirm, replaceSigner, mark, setBack, endsByRule, world, services } = begin({ forwarder: true });
  mark();
  await confirm('one');
  await replaceSigner();
  await revokeSigner(services, chainId, world.signer.address);
  world.chain.removeOperator(world.delegateAddress, world.signer.address);
  setBack(how);
  await endsByRule();
});

/** What befell the nonces of a lane that has confirmed something. */
const spoils = {
  'lost a nonce between its finals': async ({ confirm, loseNonce }: Begun) => {
    await loseNonce('lost');
    await confirm('three');
  },
  'lost its newest nonce': ({ spendAndResync }: Begun) => spendAndResync(),
  'skipped a nonce between its finals': async ({ confirm, spendAndResync }: Begun) => {
    await spendAndResync();
    await confirm('two');
  },
};

const spoiled = modes.flatMap((mode) =>
  manners.flatMap((how) => Object.entries(spoils).map(([what, spoil]) => ({ what, mode, how, spoil }))),
);

test.each(spoiled)('a lane that $what is consistent: $mode $how', async ({ mode, how, spoil }) => {
  const begun = begin(mode);
  begun.mark();
  await begun.confirm('one');
  await spoil(begun);
  begun.setBack(how);
  await begun.endsByRule();
});

test.each(modes)('a lane set back twice, with other outcomes each time, is consistent: %j', async (mode) => {
  const { confirm, mark, setBack, letPass, endsByRule } = begin(mode);
  mark();
  await confirm('one');
  for (let time = 0; time < 2; time++) {
    // All is mined in one block, which is too early for the reveals: those before are freed, those behind are tried.
    setBack({});
    await letPass(150);
  }
  setBack({ drop: true });
  await endsByRule();
});

test.each(modes)('an older attempt mined in the new branch is shown: %j', async (mode) => {
  const { confirm, mark, setBack, post, letPass, untilIdle, endsByRule, world } = begin(mode);
  await confirm('before');
  mark();
  world.chain.minTip = 3n * 10n ** 9n;
  const { attestation } = await post(alice, 'one');
  await letPass(4);
  const sent = world.chain.mempool.nonces();
  const first = world.chain.mempool.find(world.signer.address, sent[0] ?? 0);
  expect(await untilIdle()).toBe(true);
  expect((await world.row(attestation)).commitTxHash).not.toBe(first?.hash);
  setBack({ drop: true });
  world.chain.minTip = 0n;
  if (first) await world.chain.send(first.raw);
  await endsByRule();
  expect((await world.row(attestation)).commitTxHash).toBe(first?.hash);
});

test('an attestation that is revealed again shows its new time, although another provider lags', async () => {
  const { world, mark, confirm, setBack, letPass } = begin();
  const { chain } = world;
  mark();
  await confirm('one');
  const atFinal = chain.atFinal.bind(chain);
  chain.atFinal = async (question) => {
    chain.lagBlocks = 3;
    try {
      return await atFinal(question);
    } finally {
      chain.lagBlocks = 0;
    }
  };
  setBack({});
  await letPass(120);
  await checkRule(world);
});
