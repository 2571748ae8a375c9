import { expect, onTestFinished, test } from 'vitest';
import type { Creation } from '../../functions/domain/requests/create-attestation.ts';
import { runRealService } from '../fakes/real/real-service.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { expectAllConfirmed } from './world/all-confirmed.ts';
import { checkRealRule } from './world/rule.ts';
import { routes, serve } from './world/served.ts';

const atOnce = 20;
const text = 'An article.';

const idsOf = (creations: readonly Creation[]): Set<string> =>
  new Set(creations.map(({ attestation }) => attestation.id));

test.each(routes)(
  'row 30: of many posts of one content at once, one is accepted and all get it: %j',
  async (route) => {
    const service = await serve(route);
    const callers = Array.from({ length: atOnce }, (_, number) => (number % 2 ? alice : bob));
    const creations = await Promise.all(callers.map((caller) => service.post(caller, text)));
    for (const caller of [alice, bob]) {
      const own = creations.filter((_, number) => callers[number] === caller);
      expect(own.filter(({ accepted }) => accepted)).toHaveLength(1);
      expect(idsOf(own).size).toBe(1);
    }
    await service.endsByRule();
    await expectAllConfirmed(service.world, 2);
  },
);

test.each(routes)(
  'row 30: a content posted all the time while it is attested is attested once: %j',
  async (route) => {
    const service = await runRealService(undefined, route, { overlaps: true });
    const { world, queue, post } = service;
    onTestFinished(world.stop);
    const creations: Creation[] = [];
    queue.every(1, async () => {
      creations.push(...(await Promise.all([alice, alice, alice].map((caller) => post(caller, text)))));
    });
    expect(await queue.until(async () => creations.at(-1)?.attestation.status === 'confirmed', 600)).toBe(
      true,
    );
    expect(await service.untilIdle()).toBe(true);
    expect(creations.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(idsOf(creations).size).toBe(1);
    await checkRealRule(world);
    expect(await world.chain.receipts()).toHaveLength(2);
  },
);

test.each(routes)(
  'row 30: of many posts of a content that failed, one takes its place: %j',
  async (route) => {
    const service = await serve(route);
    const { chain, delegateAddress } = service.world;
    const { attestation: failed } = await service.post(alice, text);
    await chain.revokeDelegation(alice.authorityAddress);
    await service.endsByRule();
    await chain.delegate(alice.authorityAddress, delegateAddress);
    const posts = Array.from({ length: atOnce }, () => service.post(alice, text));
    const creations = await Promise.all(posts);
    expect(creations.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(idsOf(creations).size).toBe(1);
    expect(idsOf(creations)).not.toContain(failed.id);
    await service.endsByRule();
    expect(await service.world.chain.receipts()).toHaveLength(2);
  },
);
