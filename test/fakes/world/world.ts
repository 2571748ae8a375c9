import type { Address, Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { ChainUnservedError } from '../../../functions/domain/errors.ts';
import { laneName, type Queue } from '../../../functions/domain/lane/lane.ts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import {
  type CreateRequest,
  createAttestation,
} from '../../../functions/domain/requests/create-attestation.ts';
import type { Executions, Log, Services } from '../../../functions/domain/services.ts';
import { type ChainSettings, type Settings, settingsSchema } from '../../../functions/domain/settings.ts';
import { SimulatedChain } from '../chain/simulated-chain.ts';
import { MemoryRecords } from '../memory-records/memory-records.ts';
import { FakeClock } from '../ports/fake-clock.ts';
import { FakeExecutions } from '../ports/fake-executions.ts';
import { FakeLog } from '../ports/fake-log.ts';
import { FakeSigner } from '../ports/fake-signer.ts';
import { viewsOf } from './world-views.ts';

export const chainId = 31_337;
export const registryAddress: Address = '0x1111111111111111111111111111111111111111';
export const forwarderAddress: Address = '0x2222222222222222222222222222222222222222';

const start = '2026-01-01T00:00:00.000Z';
const signerKey: Hex = `0x${'a1'.repeat(32)}`;
const authorityOf = (seed: string): Address => privateKeyToAddress(`0x${seed.repeat(32)}`);

/** Two organizations, alice's and bob's, with their own authorities. */
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

const serviceFields = [
  'defaultChainId',
  'maxQueuedHours',
  'maxBoundHours',
  'taskTimeoutSeconds',
  'limits',
] as const;

/** Settings of a test: the chain's and the service's, side by side. */
export type TestSettings = Partial<ChainSettings> & Partial<Pick<Settings, (typeof serviceFields)[number]>>;

export const defaultRevealDelaySeconds = 10;

/** Makes the settings of a test's chain, which by default needs three confirmations. */
export function settingsOf(given: TestSettings, chain: Partial<ChainSettings>): Settings {
  const isOfService = (name: string) => serviceFields.some((field) => field === name);
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  const defaults = {
    chainId,
    confirmations: 3,
    blockTimeSeconds: 2,
    revealDelaySeconds: defaultRevealDelaySeconds,
  };
  return settingsSchema.parse({
    ...Object.fromEntries(fields.filter(([name]) => isOfService(name))),
    chains: [{ ...defaults, ...chain, ...Object.fromEntries(fields.filter(([name]) => !isOfService(name))) }],
  });
}

type WorldOptions = TestSettings & {
  readonly forwarder?: boolean;
  readonly batches?: boolean;
  /** Makes the log that the service writes to, with its clock. By default, the log keeps the lines. */
  readonly createLog?: (now: () => Date) => Log;
};

/** Makes the whole service on fakes, with the delegations of both organizations in place. */
export function makeWorld({ forwarder, batches, createLog, ...given }: WorldOptions = {}) {
  const delegates = forwarder ? { delegates: [forwarderAddress] } : {};
  const settings = settingsOf(given, { name: 'Simulated', registryAddress, ...delegates });
  const clock = new FakeClock(start);
  const log = new FakeLog();
  const records = new MemoryRecords(clock.now);
  const executions = new FakeExecutions();
  const signer = new FakeSigner(signerKey);
  const signers = new Map<string, FakeSigner>();
  const chain = new SimulatedChain(settings.chains[0] as ChainSettings, Date.parse(start) / 1000);
  chain.contracts.hasBatches = batches ?? false;
  const delegateAddress = forwarder ? forwarderAddress : signer.address;
  chain.addForwarder(forwarderAddress);
  chain.addOperator(forwarderAddress, signer.address);
  for (const { authorityAddress } of [alice, bob]) chain.delegate(authorityAddress, delegateAddress);
  // Enough blocks to make the delegations final.
  for (let block = 0; block < chain.settings.confirmations; block++) chain.mine();
  clock.moveTo(new Date(chain.newest.timestamp * 1000));

  const services: Services & { executions: Executions } = {
    ...{ records, executions, settings, log: createLog?.(clock.now) ?? log, now: clock.now },
    chain: (id) => {
      if (id !== chain.settings.chainId) throw new ChainUnservedError(id);
      return chain;
    },
    signer: async (keyId) => {
      const found = keyId === undefined ? signer : signers.get(keyId);
      if (!found) throw new Error(`no key ${keyId}`);
      return found;
    },
  };
  const lane = laneName(chain.settings.chainId, signer.address);
  const queue: Queue = { chainId: chain.settings.chainId, delegateAddress };
  return {
    ...{ services, settings, clock, log, records, executions, signer, signers, chain, lane, queue },
    ...{ delegateAddress, forwarderAddress },
    ...viewsOf({ records, chainId, forwarderAddress, signers: () => [signer, ...signers.values()] }),
    /** Mines blocks, each one block time after the last. */
    mine: (blocks = 1) => {
      for (let block = 0; block < blocks; block++) {
        chain.mine();
        clock.advance(chain.settings.blockTimeSeconds);
      }
    },
    create: (caller: Caller, text: string, request: Partial<CreateRequest> = {}) =>
      createAttestation(services, caller, { content: parseContent(text), ...request }),
  };
}

export type World = ReturnType<typeof makeWorld>;
