import type { Hash } from 'viem';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { ChainUnservedError } from '../../../functions/domain/errors.ts';
import { laneName, type Queue } from '../../../functions/domain/lane/lane.ts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import {
  type CreateRequest,
  createAttestation,
} from '../../../functions/domain/requests/create-attestation.ts';
import type { Executions, Services, Signer } from '../../../functions/domain/services.ts';
import { FakeClock } from '../ports/fake-clock.ts';
import { FakeExecutions } from '../ports/fake-executions.ts';
import { FakeLog } from '../ports/fake-log.ts';
import { guarded } from '../ports/guarded.ts';
import { override } from '../ports/port-overrides.ts';
import { Processes } from '../ports/processes.ts';
import { alice, bob } from '../world/world.ts';
import { viewsOf } from '../world/world-views.ts';
import { type RealAws, startAws } from './real-aws.ts';
import { plenty, type StartedChain, startRealChain } from './real-chain-start.ts';
import type { RealWorldOptions } from './real-settings.ts';

const start = '2026-01-01T00:00:00.000Z';

/**
 * The whole service on its real adapters, an emulator and an anvil. Only time and executions are simulated. The caller
 * must stop it.
 */
export async function makeRealWorld(options: RealWorldOptions = {}) {
  const clock = new FakeClock(start);
  const log = new FakeLog();
  const executions = new FakeExecutions();
  const processes = new Processes();
  const aws = await startAws(processes, options.emulator);
  const keys = await makeKeys(aws);
  const started = await startRealChain(options, { signers: keys.all, clock, processes });
  const { settings, contracts, chain, providers, port } = started;
  const { signer, signers } = keys;
  const { chainId } = chain.settings;
  const delegateAddress = await delegateAll(started, signer, options);
  clock.moveTo(new Date(chain.newest.timestamp * 1000));
  const unstored = watchUnstored(started, aws);
  const services: Services & { executions: Executions } = guarded(
    {
      ...{ records: aws.records, executions, settings, log, now: clock.now, signer: keys.find },
      chain: (id) => {
        if (id !== chainId) throw new ChainUnservedError(id);
        return options.batches === false ? override(port, { canBatch: async () => false }) : port;
      },
    },
    processes.guard,
  );
  const queue: Queue = { chainId, delegateAddress };
  let stopped: Promise<void> | undefined;
  const stopAws = () => (stopped ??= aws.stop());
  return {
    ...{ services, settings, contracts, clock, log, executions },
    ...{ signer, signers, chain, queue, delegateAddress },
    ...viewsOf({ ...contracts, records: aws.observed, chainId, signers: keys.all }),
    lane: laneName(chainId, signer.address),
    records: aws.observed,
    /** Hashes of transactions that were sent before they were stored. There must be none. */
    unstored,
    providers,
    /** URL of the node behind the providers. The node also answers requests of web pages. */
    nodeUrl: started.nodeUrl,
    processes,
    aws: aws.faults,
    /** Adds another KMS key, and funds it. @returns its id */
    addKey: async (): Promise<string> => {
      const { keyId, signer: added } = await aws.newSigner();
      signers.set(keyId, added);
      await chain.setBalance(added.address, plenty);
      return keyId;
    },
    mine: async (blocks = 1) => {
      for (let block = 0; block < blocks; block++) {
        await chain.mine();
        clock.advance(chain.settings.blockTimeSeconds);
      }
    },
    create: (caller: Caller, text: string, request: Partial<CreateRequest> = {}) =>
      createAttestation(services, caller, { content: parseContent(text), ...request }),
    /** Deletes the tables. The chain continues. */
    stopAws,
    stop: async () => {
      await started.stop();
      await stopAws();
    },
  };
}

export type RealWorld = Awaited<ReturnType<typeof makeRealWorld>>;

async function makeKeys(aws: RealAws) {
  const { signer } = await aws.newSigner();
  const signers = new Map<string, Signer>();
  const find = async (keyId?: string): Promise<Signer> => {
    const found = keyId === undefined ? signer : signers.get(keyId);
    if (!found) throw new Error(`no key ${keyId}`);
    return found;
  };
  return { signer, signers, find, all: (): Signer[] => [signer, ...signers.values()] };
}

/** @returns the authorities' delegate, once the delegations are final */
async function delegateAll(
  { chain, contracts }: StartedChain,
  signer: Signer,
  { forwarder }: RealWorldOptions,
) {
  const { forwarderAddress } = contracts;
  const delegateAddress = forwarder ? forwarderAddress : signer.address;
  await chain.addOperator(forwarderAddress, signer.address);
  for (const { authorityAddress } of [alice, bob]) await chain.delegate(authorityAddress, delegateAddress);
  for (let block = 0; block < chain.settings.confirmations; block++) await chain.mine();
  return delegateAddress;
}

function watchUnstored({ chain }: StartedChain, { observed }: RealAws): Hash[] {
  const unstored: Hash[] = [];
  chain.onSend = async (hash: Hash) => {
    const stored = await observed.all();
    if (!stored.some(({ fields }) => JSON.stringify(fields.attempts ?? []).includes(hash)))
      unstored.push(hash);
  };
  return unstored;
}
