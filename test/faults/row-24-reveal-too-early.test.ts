import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { registryCall } from '../../functions/domain/operation/registry-call.ts';
import { queueOperation } from '../../functions/domain/steps/enter-step.ts';
import { alice } from '../fakes/world/world.ts';
import { excessiveTip } from './world/excessive-tip.ts';
import { routes, type Served, serve } from './world/served.ts';

const delay = { revealDelaySeconds: 60, confirmations: 3 };

/** The newest block's times whenever a reveal of the attestation was sent, in seconds since 1970. */
function watchReveals({ world: { chain, providers } }: Served, row: Attestation): number[] {
  const times: number[] = [];
  const { data } = registryCall(row, 'reveal');
  providers[0]?.set({
    methods: ['eth_sendRawTransaction'],
    fault: {
      kind: 'answered',
      by: async ({ method, params = [] }, ask) => {
        const [raw] = params as readonly [Hex];
        if (raw.includes(data.slice(2))) times.push(chain.newest.timestamp);
        return ask(method, params);
      },
    },
  });
  return times;
}

/** That it was sent, never before the chain's delay, and that the chain took it at once. */
async function expectInTime({ world }: Served, sent: readonly number[]): Promise<void> {
  const receipts = await world.chain.receipts();
  expect(receipts.map(({ succeeded }) => succeeded)).toEqual([true, true]);
  const commitTime = receipts[0]?.blockTimestamp ?? 0;
  expect(sent.length).toBeGreaterThan(0);
  for (const time of sent) expect(time).toBeGreaterThanOrEqual(commitTime + delay.revealDelaySeconds);
}

const isCommitted =
  ({ world }: Served, row: Attestation) =>
  async () =>
    (await world.row(row)).status === 'committed';

test.each(routes)(
  'row 24: on a chain whose clock is slow, no reveal is even queued early: %j',
  async (route) => {
    const service = await serve({ ...route, ...delay });
    const { chain, row } = service.world;
    chain.mine = () => chain.node.mine(chain.newest.timestamp + 1);
    const { attestation } = await service.post(alice, 'An article.');
    const sent = watchReveals(service, attestation);
    await service.until(async () => (await row(attestation)).revealPhase !== undefined);
    const { revealAt = '' } = await row(attestation);
    expect(chain.newest.timestamp).toBeGreaterThanOrEqual(Date.parse(revealAt) / 1000);
    await service.endsByRule();
    await expectInTime(service, sent);
  },
);

test.each(routes)('row 24: a reveal that is queued too early waits in its queue: %j', async (route) => {
  const service = await serve({ ...route, ...delay });
  const { row } = service.world;
  const { attestation } = await service.post(alice, 'An article.');
  const sent = watchReveals(service, attestation);
  await service.until(isCommitted(service, attestation));
  await queueOperation(service.services, await row(attestation), 'reveal');
  await service.endsByRule();
  await expectInTime(service, sent);
});

test.each(routes)(
  'row 24: a commit that is mined again later has its delay from there: %j',
  async (route) => {
    const service = await serve({ ...route, ...delay });
    const { chain, row } = service.world;
    const { attestation } = await service.post(alice, 'An article.');
    const sent = watchReveals(service, attestation);
    await service.until(isCommitted(service, attestation));
    const { revealAt: before = '' } = await row(attestation);
    chain.minTip = excessiveTip;
    await chain.reorganise(2);
    await service.pass(delay.revealDelaySeconds / 2);
    chain.minTip = 0n;
    await service.endsByRule();
    const { revealAt: after = '' } = await row(attestation);
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
    await expectInTime(service, sent);
  },
);
