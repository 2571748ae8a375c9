import type { Address, Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { Attestation } from '../../functions/domain/attestation.ts';
import { findAttestation } from '../../functions/domain/attestation-rows.ts';
import { parseContent } from '../../functions/domain/content.ts';
import { type CreateRequest, createAttestation } from '../../functions/domain/create-attestation.ts';
import { ChainUnservedError } from '../../functions/domain/errors.ts';
import { laneName } from '../../functions/domain/lane.ts';
import { findLaneState, hasQueue } from '../../functions/domain/lane-records.ts';
import type { Caller } from '../../functions/domain/organization.ts';
import type { Executions } from '../../functions/domain/ports.ts';
import type { Services } from '../../functions/domain/services.ts';
import { type ChainSettings, type Settings, settingsSchema } from '../../functions/domain/settings.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeExecutions } from './fake-executions.ts';
import { FakeLog } from './fake-log.ts';
import { FakeSigner } from './fake-signer.ts';
import { MemoryRecords } from './memory-records.ts';
import { SimulatedChain } from './simulated-chain.ts';

export const chainId = 31_337;
export const registryAddress: Address = '0x1111111111111111111111111111111111111111';

const start = '2026-01-01T00:00:00.000Z';
const signerKey: Hex = `0x${'a1'.repeat(32)}`;
const authorityOf = (seed: string): Address => privateKeyToAddress(`0x${seed.repeat(32)}`);

/** Two organisations with their own authorities. */
export const alice: Caller = {
  organizationId: '018f0000-0000-7000-8000-00000000000a',
  authorityAddress: authorityOf('0a'),
  defaultChainId: chainId,
};
export const bob: Caller = {
  organizationId: '018f0000-0000-7000-8000-00000000000b',
  authorityAddress: authorityOf('0b'),
  defaultChainId: chainId,
};

type Given = Partial<ChainSettings> & Partial<Pick<Settings, 'defaultChainId' | 'maxQueuedHours'>>;

function settingsOf({ defaultChainId, maxQueuedHours, ...chain }: Given): Settings {
  const base = { chainId, name: 'Simulated', registryAddress, confirmations: 3, blockTimeSeconds: 2 };
  return settingsSchema.parse({
    chains: [{ ...base, revealDelaySeconds: 10, ...chain }],
    ...(defaultChainId === undefined ? {} : { defaultChainId }),
    ...(maxQueuedHours === undefined ? {} : { maxQueuedHours }),
  });
}

/** The whole service on fakes, with the delegations of both organisations in place. */
export function makeWorld(given: Given = {}) {
  const settings = settingsOf(given);
  const clock = new FakeClock(start);
  const log = new FakeLog();
  const records = new MemoryRecords();
  const executions = new FakeExecutions();
  const signer = new FakeSigner(signerKey);
  const chain = new SimulatedChain(settings.chains[0] as ChainSettings, Date.parse(start) / 1000);
  for (const { authorityAddress } of [alice, bob]) chain.delegate(authorityAddress, signer.address);
  // So deep that the delegations are final.
  for (let block = 0; block < chain.settings.confirmations; block++) chain.mine();
  clock.moveTo(new Date(chain.newest.timestamp * 1000));

  const services: Services & { executions: Executions } = {
    ...{ records, executions, settings, log, now: clock.now },
    chain: (id) => {
      if (id !== chain.settings.chainId) throw new ChainUnservedError(id);
      return chain;
    },
    signer: async () => signer,
  };
  return {
    ...{ services, settings, clock, log, records, executions, signer, chain },
    lane: laneName(chain.settings.chainId, signer.address),
    /** Whether the lane has anything queued or not final. */
    owes: async () => {
      const lane = laneName(chain.settings.chainId, signer.address);
      const state = await findLaneState(records, lane);
      return (state && state.finalNonce < state.nextNonce) || (await hasQueue(records, lane));
    },
    /** So many blocks, each its block time after the last. */
    mine: (blocks = 1) => {
      for (let block = 0; block < blocks; block++) {
        chain.mine();
        clock.advance(chain.settings.blockTimeSeconds);
      }
    },
    create: (caller: Caller, text: string, request: Partial<CreateRequest> = {}) =>
      createAttestation(services, caller, { content: parseContent(text), ...request }),
    row: async ({ organizationId, id }: Pick<Attestation, 'organizationId' | 'id'>): Promise<Attestation> => {
      const row = await findAttestation(records, { organizationId, id });
      if (!row) throw new Error(`no attestation ${id}`);
      return row;
    },
  };
}

export type World = ReturnType<typeof makeWorld>;
