import { composeChains } from '../../../functions/adapters/compose-chains.ts';
import { workflowLimits } from '../../../functions/adapters/compose-services.ts';
import { route } from '../../../functions/api/http/route.ts';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { queueName } from '../../../functions/domain/lane/lane.ts';
import { queuePartition } from '../../../functions/domain/lane/queue-records.ts';
import { feeUsageRecord } from '../../../functions/domain/organization/fee-usage.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import { queueEvents } from '../../../functions/domain/webhooks/queue-events.ts';
import { sendDue } from '../../../functions/domain/webhooks/send-due.ts';
import { createWebhook } from '../../../functions/domain/webhooks/webhook.ts';
import { FakeParameters } from '../../fakes/aws/fake-parameters.ts';
import { call } from '../../fakes/world/api-client.ts';
import { type RunningService, runService } from '../../fakes/world/running-service.ts';
import { alice, chainId, type makeWorld } from '../../fakes/world/world.ts';
import { confirmedChange } from '../../functions/domain/webhooks/webhook-world.ts';

async function guessKeys({ records, log }: Services, requests: number): Promise<void> {
  const handler = route({ access: 'read', records, log, handle: async () => ({ status: 200, body: {} }) });
  for (let request = 0; request < requests; request++) await call(handler, {}, '');
}

/** Has a receiver refuse an event that has been tried for three days. */
async function refuseWebhook(services: Services, status = 500): Promise<void> {
  const change = confirmedChange();
  const { organizationId } = change.key;
  const url = new URL('https://news.example.org/');
  const { now } = services;
  const threeDaysAgo = () => new Date(now().getTime() - 72 * 3_600_000);
  const before = { ...services, now: threeDaysAgo };
  const webhook = await createWebhook(services, { organizationId, url, now: threeDaysAgo() });
  await queueEvents(before, [change]);
  await sendDue({ ...before, post: async () => ({ status: 500 }) }, [webhook]);
  await sendDue({ ...services, post: async () => ({ status }) }, [webhook]);
}

/** Has the stream show a row that is malformed. */
async function queueMalformed(services: Services): Promise<void> {
  const change = confirmedChange();
  await queueEvents(services, [{ ...change, after: { ...change.after, salt: 7 } }]);
}

export interface Trouble {
  readonly given?: Parameters<typeof makeWorld>[0];
  readonly breaks: (service: RunningService) => unknown;
  /** Minutes that the broken service runs; default: 3. */
  readonly minutes?: number;
}

const gwei = 1_000_000_000n;
const coin = 10n ** 18n;
const attackerAddress = '0x6666666666666666666666666666666666666666';

const fails = (message: string) => async (): Promise<never> => {
  throw new Error(message);
};

async function sendsOne({ post, queue }: RunningService): Promise<void> {
  await post(alice, 'sent before');
  await queue.until(async () => false, 4);
}

async function signsNothing({ world, post }: RunningService): Promise<void> {
  world.signer.failure = new Error('KMS is down');
  await post(alice, 'unsigned');
}

async function hasNoMoney({ world, post }: RunningService): Promise<void> {
  world.chain.setBalance(world.signer.address, 0n);
  await post(alice, 'without money');
}

async function minesNothing(service: RunningService): Promise<void> {
  service.world.chain.minTip = 1_000_000n * gwei;
  await service.post(alice, 'unmined');
}

export const troubles: Readonly<Record<string, Trouble>> = {
  SweepSilent: {
    breaks: ({ world: { records } }) => {
      for (const name of ['get', 'getAll', 'list', 'update', 'transact', 'due', 'inFlight'] as const)
        records[name] = fails('AccessDeniedException');
    },
    minutes: 8,
  },
  SweepFailing: {
    breaks: ({ world }) => {
      world.records.due = fails('AccessDeniedException');
    },
    minutes: 12,
  },
  ChainUnchecked: {
    breaks: ({ world }) => {
      world.chain.unreachable = true;
    },
    minutes: 12,
  },
  SettingsUnreadable: {
    breaks: ({ world: { settings, services, clock }, queue }) => {
      const parameters = new FakeParameters();
      parameters.refusal = 'AccessDeniedException';
      const { refresh } = composeChains({
        ...{ variables: { SETTINGS_CHANGES: 'changes' }, deployed: settings, limits: workflowLimits },
        ...{ log: services.log, ssm: parameters.client, now: () => clock.now().getTime() },
      });
      queue.every(60, refresh);
    },
    minutes: 12,
  },
  WorkflowNotStarted: {
    breaks: async ({ machines, post }) => {
      machines.startAttest = fails('ThrottlingException');
      await post(alice, 'unstarted');
    },
  },
  LaneNotStarted: {
    breaks: async ({ machines, post }) => {
      machines.startLane = fails('ThrottlingException');
      await post(alice, 'without a lane');
    },
  },
  Unauthenticated: { breaks: ({ world }) => guessKeys(world.services, 120) },
  WebhookDeadLetter: { breaks: ({ world }) => refuseWebhook(world.services) },
  WebhookDisabled: { breaks: ({ world }) => refuseWebhook(world.services, 410) },
  WebhookEventUnreadable: { breaks: ({ world }) => queueMalformed(world.services) },
  LanePaused: {
    breaks: async (service) => {
      await sendsOne(service);
      service.world.chain.spendNonce(service.world.signer.address);
      await service.post(alice, 'behind it');
    },
  },
  OperationUnsendable: {
    breaks: async ({ world }) => {
      const { attestation } = await world.create(alice, 'forged');
      const key = attestationRow(attestation);
      await world.records.update({ key, set: { registryAddress: attackerAddress } });
      await queueOperation(world.services, await world.row(attestation), 'commit');
    },
  },
  OperationUnreadable: {
    breaks: async ({ world: { records, queue } }) => {
      const key = { table: 'queue', pk: queuePartition(queueName(queue)), sk: '000000000000000#x' } as const;
      await records.update({ key, put: { kind: 'other' } });
    },
  },
  LaneCannotPay: { breaks: hasNoMoney },
  LaneNearBudget: {
    // An attestation costs 0.0027.
    given: { dailyFeeBudget: 0.006, organizationDailyFeeBudget: 1 },
    breaks: ({ post }) => post(alice, 'near the budget'),
  },
  OrganizationNearBudget: {
    given: { organizationDailyFeeBudget: 0.5 },
    breaks: async ({ world, post }) => {
      const key = feeUsageRecord(alice.organizationId, chainId, world.clock.now().toISOString());
      await world.records.update({ key, put: { gwei: 450_000_000 } });
      await post(alice, 'near the budget');
    },
  },
  DeepReorg: {
    breaks: async (service) => {
      await service.post(alice, 'confirmed');
      await service.queue.until(async () => false, 240);
      const { chain } = service.world;
      chain.reorganize(chain.newest.number - 4, { drop: true });
    },
    minutes: 5,
  },
  TransactionOverdue: { given: { maxBoundHours: 1 }, breaks: minesNothing, minutes: 65 },
  NonceWithoutReceipt: {
    breaks: async (service) => {
      await sendsOne(service);
      service.world.chain.hidesReceipts = true;
      await service.post(alice, 'without a receipt');
    },
    minutes: 14,
  },
  DispatchInterrupted: {
    breaks: async ({ world, post }) => {
      world.chain.simulate = fails('no answer');
      await post(alice, 'not simulated');
    },
    minutes: 16,
  },
  SendUncertain: {
    breaks: async ({ world, post }) => {
      world.chain.send = fails('no answer');
      await post(alice, 'unsent');
    },
    minutes: 16,
  },
  TransactionRefused: {
    breaks: async ({ world, post }) => {
      world.chain.poolRules.feeCap = 1n;
      await post(alice, 'refused');
    },
    minutes: 16,
  },
  FeeCapReached: {
    given: { maxFeePerGasGwei: 50 },
    breaks: async ({ world, post }) => {
      world.chain.baseFee = 100n * gwei;
      await post(alice, 'above the cap');
    },
    minutes: 18,
  },
  HeadStale: {
    breaks: async ({ world, post }) => {
      world.chain.mine = () => world.chain.newest;
      await post(alice, 'waits for a block');
    },
    minutes: 8,
  },
  TransactionUnmined: { breaks: minesNothing, minutes: 20 },
  AttestationUnfinished: { breaks: signsNothing, minutes: 50 },
  [`QueueOld${chainId}`]: { breaks: hasNoMoney, minutes: 50 },
  [`FundsLow${chainId}`]: {
    breaks: ({ world }) => world.chain.setBalance(world.signer.address, 5n * coin),
    minutes: 18,
  },
};

export async function healthyService(given: Parameters<typeof makeWorld>[0]): Promise<RunningService> {
  const service = runService(undefined, given);
  await service.post(alice, 'while all is well');
  await service.queue.until(async () => false, 600);
  return service;
}
