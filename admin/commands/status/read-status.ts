import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { chainSigners } from '../../../functions/domain/lane/signers.ts';
import { readLaneStatus } from '../../../functions/domain/operator/read-lane-status.ts';
import { readUsage, sumUsage } from '../../../functions/domain/operator/read-usage.ts';
import {
  maxUnfinished,
  unfinishedAttestations,
} from '../../../functions/domain/operator/unfinished-attestations.ts';
import { listOrganizations } from '../../../functions/domain/organization/organization.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { type ChainSettings, finalitySeconds } from '../../../functions/domain/settings.ts';
import { daysLeft, isSending } from '../../../functions/domain/steps/report-funds.ts';
import type { Account } from '../../account/connect-account.ts';
import { checkAws } from '../doctor/report.ts';

/** What was read, or why it is missing. A part that an emulator does not support needs no attention. */
export type Part<Value> = { readonly value: Value } | { readonly missing: string; readonly failed: boolean };

export type Status = Awaited<ReturnType<typeof readStatus>>;

/** Reads every part. One that cannot be read does not affect the others. */
export async function readStatus(account: Account) {
  const services = await (await account.deployment()).services();
  const { chains } = services.settings;
  const reads = "reads of the stack's tables";
  const [alarms, unfinished, usage, ...lanes] = await Promise.all([
    readPart(account, 'cloudwatch:DescribeAlarms', () => account.alarms()),
    readPart(account, reads, () => readUnfinished(services)),
    readPart(account, reads, () => readMonth(services)),
    ...chains.map((chain) => readPart(account, reads, () => readLanes(services, chain))),
  ]);
  return {
    ...{ stackName: account.stackName, time: services.now().toISOString() },
    ...{ alarms, unfinished, usage },
    chains: chains.map(({ chainId, name }, position) => ({
      ...{ chainId, name, lanes: lanes[position] as NonNullable<(typeof lanes)[number]> },
    })),
  };
}

async function readPart<Value>(
  account: Account,
  action: string,
  read: () => Promise<Value>,
): Promise<Part<Value>> {
  const parts: Value[] = [];
  const [finding] = await checkAws(account, [action, action], async () => {
    parts.push(await read());
    return [];
  });
  if (finding) return { missing: finding.message, failed: finding.failed === true };
  return { value: parts[0] as Value };
}

const hour = 3_600;

async function readUnfinished(services: Services) {
  const ages: { state: string; ageSeconds: number; isOverdue: boolean }[] = [];
  let oldest: Attestation | undefined;
  for await (const attestation of unfinishedAttestations(services)) {
    oldest ??= attestation;
    const chain = services.settings.chains.find(({ chainId }) => chainId === attestation.chainId);
    const ageSeconds = Math.round((services.now().getTime() - Date.parse(attestation.createdAt)) / 1000);
    const isOverdue = ageSeconds > hour + (chain ? finalitySeconds(chain) : 0);
    ages.push({ state: attestation.status, ageSeconds, isOverdue });
  }
  const states = Map.groupBy(ages, ({ state }) => state);
  return {
    count: ages.length,
    hasMore: ages.length >= maxUnfinished,
    overdue: ages.filter(({ isOverdue }) => isOverdue).length,
    byState: [...states].map(([state, [first, ...others]]) => ({
      ...{ state, count: 1 + others.length, oldestSeconds: first?.ageSeconds ?? 0 },
    })),
    oldest: oldest && {
      ...{ id: oldest.id, organizationId: oldest.organizationId, chainId: oldest.chainId },
      ...{ state: oldest.status, ageSeconds: ages[0]?.ageSeconds ?? 0 },
    },
  };
}

/** Reads the use of each organization today and since the first of the month, in UTC. */
async function readMonth({ records, settings, now }: Services) {
  const today = now().toISOString();
  const days = Array.from(
    { length: now().getUTCDate() },
    (_, day) => `${today.slice(0, 8)}${String(day + 1).padStart(2, '0')}`,
  );
  const organizations = await listOrganizations(records);
  const ids = organizations.map(({ id }) => id);
  const chainIds = settings.chains.map(({ chainId }) => chainId);
  const usage = await readUsage(records, ids, chainIds, days);
  return organizations.map(({ id, name }, position) => {
    const used = usage[position] ?? [];
    return { id, name, today: sumUsage(used.slice(-1)), month: sumUsage(used) };
  });
}

async function readLanes(services: Services, chain: ChainSettings) {
  const signers = await chainSigners(services, chain.chainId);
  const sending = signers.filter((signer) => isSending(chain, signer));
  return Promise.all(
    sending.map(({ address }) => readLane(services, chain, laneName(chain.chainId, address))),
  );
}

async function readLane(services: Services, settings: ChainSettings, name: string) {
  const { lane, signerAddress, chain, feeCapGwei, waitingFor } = await readLaneStatus(services, name);
  return {
    ...{ lane, signerAddress, waitingFor, feeCapGwei },
    /** `null` while the chain cannot be reached. */
    chain: chain && {
      ...{ balanceWei: chain.balanceWei, daysLeft: daysLeft(settings, chain.balanceWei) },
      feePerGasWei: chain.baseFeeWei + chain.tipWei,
    },
  };
}
