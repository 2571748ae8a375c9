import { expect, test } from 'vitest';
import { pauseLane, resumeLane } from '../../../functions/domain/operator/lane-control.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { alice, type World } from '../../fakes/world/world.ts';

/** Slower than public chains, because each block of the long wait takes time to simulate. */
const slowChain = { blockTimeSeconds: 60, confirmations: 3 };

const plenty = 10n ** 20n;

const interruptions = [
  {
    cause: 'a key without funds',
    settings: slowChain,
    stop: async ({ chain, signer }: World) => chain.setBalance(signer.address, 0n),
    resume: async ({ chain, signer }: World) => chain.setBalance(signer.address, plenty),
  },
  {
    cause: 'a paused lane with a short timeout',
    settings: { ...slowChain, taskTimeoutSeconds: 240 },
    stop: ({ services, lane }: World) => pauseLane(services, lane),
    resume: ({ services, lane }: World) => resumeLane(services, lane),
  },
];

test.each(interruptions)(
  'an attestation survives a long weekend of $cause, and continues afterwards',
  async ({ settings, stop, resume }) => {
    const service = runService(undefined, settings);
    const { world } = service;
    await stop(world);
    const { attestation } = await service.post(alice, 'An article.');
    await service.untilTerminal(attestation, 72 * 3600);
    expect(await world.row(attestation)).toMatchObject({ status: 'pending', error: null });
    await resume(world);
    await service.untilTerminal(attestation, 3600);
    expect((await world.row(attestation)).status).toBe('confirmed');
  },
);
