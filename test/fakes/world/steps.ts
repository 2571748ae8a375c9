import { privateKeyToAddress } from 'viem/accounts';
import type { Attestation, AttestationKey } from '../../../functions/domain/attestation/attestation.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { findTaskTokens, type TaskToken } from '../../../functions/domain/attestation/task-token-records.ts';
import type { Chain } from '../../../functions/domain/chain.ts';
import type { LaneState, Transaction } from '../../../functions/domain/lane/lane.ts';
import { openOrReadLane } from '../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../functions/domain/lane/lane-services.ts';
import { transactionsFrom } from '../../../functions/domain/lane/transaction-records.ts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import type { Records } from '../../../functions/domain/records.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import type { NextTick } from '../../../functions/domain/steps/next-tick.ts';
import { revealStep } from '../../../functions/domain/steps/reveal.ts';
import { watchSends } from '../checks/outcome-checks.ts';
import { FakeSigner } from '../ports/fake-signer.ts';
import { override } from '../ports/port-overrides.ts';
import { alice, chainId, forwarderAddress, makeWorld, type World } from './world.ts';

export function stateOf({ services, lane }: World): Promise<LaneState> {
  return openOrReadLane(laneServices(services, lane));
}

/** Runs one tick of the lane's execution that runs now. */
export async function tick(world: World, services = world.services as Services): Promise<NextTick> {
  const { run } = await stateOf(world);
  return advance(services, { lane: world.lane, run, turn: 0 });
}

export async function mineAndTick(world: World, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    world.mine();
    await tick(world);
  }
}

/** Advances time and blocks, which include no transaction. */
export async function waitUnmined(world: World, seconds: number): Promise<void> {
  world.chain.minTip = 10n ** 12n;
  const { blockTimeSeconds } = world.chain.settings;
  for (let passed = 0; passed < seconds; passed += blockTimeSeconds) await mineAndTick(world);
}

export async function unsettledTransactions(world: World): Promise<Transaction[]> {
  return transactionsFrom(world.records, await stateOf(world));
}

/** Creates an attestation whose Commit state has run, with the token `commit`. */
export async function startCommit(world: World, caller: Caller, text = 'An article.'): Promise<Attestation> {
  const { attestation } = await world.create(caller, text);
  await commitStep(world.services, { ...attestation, taskToken: 'commit' });
  return world.row(attestation);
}

/** Makes attestations whose commits wait in the queue, as if their steps could not dispatch. */
export async function enqueue(
  world: World,
  caller: Caller,
  count = 1,
  title = 'article',
): Promise<Attestation[]> {
  const rows: Attestation[] = [];
  for (let number = 0; number < count; number++) {
    const { attestation } = await world.create(caller, `${title} ${number} of ${caller.organizationId}`);
    await queueOperation(world.services, attestation, 'commit');
    rows.push(await world.row(attestation));
  }
  return rows;
}

/** Adds an organization whose authority delegates to the service. */
export function addPublisher(world: World, number: number): Caller {
  const digits = String(number + 20).padStart(4, '0');
  const authorityAddress = privateKeyToAddress(`0x${digits.repeat(16)}`);
  world.chain.delegate(authorityAddress, world.delegateAddress);
  const organizationId = `018f0000-0000-7000-8000-00000001${digits}`;
  return { organizationId, authorityAddress, defaultChainId: chainId };
}

/** Returns the services with some functions of the chain replaced. */
export function withChain({ services, chain }: World, overrides: Partial<Chain>): Services {
  return { ...services, chain: () => override<Chain>(chain, overrides) };
}

/** Returns the services with some functions of the store replaced. */
export function withRecords({ services, records }: World, overrides: Partial<Records>): Services {
  return { ...services, records: override<Records>(records, overrides) };
}

/** Makes an attestation whose commit is final and whose delay has passed on the chain. */
export async function commitOne(world: World, caller: Caller, text = 'An article.'): Promise<Attestation> {
  const attestation = await startCommit(world, caller, text);
  await mineAndTick(world, world.chain.settings.confirmations + world.chain.settings.revealDelaySeconds / 2);
  return world.row(attestation);
}

export function reveal(world: World, key: AttestationKey, taskToken = 'reveal') {
  return revealStep(world.services, { ...key, taskToken });
}

/** Makes an attestation that is confirmed through the service. */
export async function confirmOne(world: World, caller: Caller, text = 'An article.'): Promise<Attestation> {
  const row = await commitOne(world, caller, text);
  await reveal(world, row);
  await mineAndTick(world, world.chain.settings.confirmations);
  await confirmStep(world.services, row);
  return world.row(row);
}

/** Makes an attestation that is confirmed because the authority attested the content itself. */
export async function selfAttest(world: World, caller: Caller, text: string): Promise<Attestation> {
  world.chain.attest(caller.authorityAddress, contentDigest(parseContent(text)));
  world.mine(world.chain.settings.confirmations);
  const { attestation } = await world.create(caller, text);
  return attestation;
}

/** Adds a key that is an operator of the forwarder but not yet one of the chain's signers. */
export function addKey(world: World, keyId = 'second') {
  const signer = new FakeSigner(`0x${Buffer.from(keyId.padEnd(32, '.')).toString('hex')}`);
  world.signers.set(keyId, signer);
  world.chain.addOperator(forwarderAddress, signer.address);
  return { keyId, address: signer.address };
}

export async function taskTokenOf(world: World, key: AttestationKey): Promise<TaskToken> {
  const [token] = await findTaskTokens(world, [key]);
  if (!token) throw new Error('no state waits');
  return token;
}

export async function worldWithCommit(given?: Parameters<typeof makeWorld>[0]) {
  const world = makeWorld(given);
  watchSends(world);
  const row = await startCommit(world, alice);
  const first = async () => (await unsettledTransactions(world))[0];
  return { world, row: () => world.row(row), first };
}
