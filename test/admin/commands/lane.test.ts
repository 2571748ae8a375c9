import { describe, expect, test } from 'vitest';
import { openOrReadLane } from '../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../functions/domain/lane/lane-services.ts';
import { activateSigner } from '../../../functions/domain/operator/change-signers.ts';
import { mineAndTick, startCommit, unsettledTransactions } from '../../fakes/world/steps.ts';
import { alice, chainId, forwarderAddress, makeWorld } from '../../fakes/world/world.ts';
import { run, runJson } from './fake-deployment.ts';
import { WorldDeployment } from './world-deployment.ts';

const chain = ['--chain', String(chainId)];
const stranger = makeWorld().chain.settings.registryAddress;

describe('lane status', () => {
  test('shows the active lane, with wei as decimal strings', async () => {
    const deployment = new WorldDeployment();
    deployment.world.chain.setBalance(deployment.world.signer.address, 10n ** 18n);
    await startCommit(deployment.world, alice);
    expect(await runJson(deployment, 'lane', 'status', ...chain)).toMatchObject({
      lane: deployment.world.lane,
      waitingFor: 'the next block',
      unsettled: [{ nonce: 0, state: 'pending', fees: { maxPriorityFeePerGas: '1000000000' } }],
      chain: { balanceWei: '1000000000000000000' },
    });
  });

  test('starts with what the lane is waiting for', async () => {
    const deployment = new WorldDeployment({ dailyFeeBudget: 5 });
    await startCommit(deployment.world, alice);
    await mineAndTick(deployment.world);
    const { exitCode, out } = await run(deployment, 'lane', 'status', ...chain);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^waiting for +finality of nonce 0 \(1 of 3 confirmations\)\n/);
    expect(out).toMatch(/^NONCE +STATE .*\n0 +mined +1 +1 /m);
    expect(out).toMatch(/^on the chain +1 transactions at block \d+, 0 s old$/m);
    expect(out).toMatch(/^oldest +unfinished attestation 2 s$/m);
    expect(out).toMatch(/^spent today +\S+ of 5$/m);
    expect(out).toMatch(/^DELEGATE +QUEUED +OLDEST$/m);
  });

  test('reports a stale chain and the ages of waiting work', async () => {
    const deployment = new WorldDeployment({ maxInFlight: 1 });
    await startCommit(deployment.world, alice, 'sent');
    await startCommit(deployment.world, alice, 'queued');
    deployment.world.clock.advance(600);
    const { out } = await run(deployment, 'lane', 'status', ...chain);
    expect(out).toMatch(/^waiting for +a new block: the newest is 10 min old$/m);
    expect(out).toMatch(
      /^oldest +pending transaction 10 min, queued operation 10 min, unfinished attestation 10 min$/m,
    );
  });

  test('shows dashes for a lane without a record and for an unreachable chain', async () => {
    const deployment = new WorldDeployment();
    expect((await run(deployment, 'lane', 'status', ...chain)).out).toMatch(/^nonces +-$/m);
    deployment.world.chain.unreachable = true;
    expect((await run(deployment, 'lane', 'status', ...chain)).out).toMatch(/^balance +-$/m);
  });

  test('shows the lane of the signer that `--signer` names', async () => {
    const deployment = new WorldDeployment({ forwarder: true });
    const { world } = deployment;
    const signer = world.signer.address.toLowerCase();
    expect(await runJson(deployment, 'lane', 'status', ...chain, '--signer', signer)).toMatchObject({
      lane: world.lane,
    });
  });
});

test('`lane pause` stops the lane with a reason, and `lane resume` resumes it', async () => {
  const deployment = new WorldDeployment();
  const nonces = { next: 0, mined: 0, final: 0 };
  expect(await runJson(deployment, 'lane', 'pause', ...chain, '--reason', 'audit')).toEqual({
    ...{ lane: deployment.world.lane, paused: 'audit', retired: null, nonces },
  });
  expect((await run(deployment, 'lane', 'pause', ...chain)).out).toContain(
    'is paused: paused by an operator',
  );
  expect(await runJson(deployment, 'lane', 'resume', ...chain)).toMatchObject({ paused: null });
  expect(deployment.world.executions.started).toEqual([`${deployment.world.lane}-1`]);
});

test('`lane cancel` requests the cancellation of the given transaction', async () => {
  const deployment = new WorldDeployment();
  await startCommit(deployment.world, alice, 'first');
  await startCommit(deployment.world, alice, 'second');
  expect(await runJson(deployment, 'lane', 'cancel', ...chain, '--nonce', '1')).toEqual({
    ...{ lane: deployment.world.lane, nonce: 1, canceling: true },
  });
  expect((await run(deployment, 'lane', 'cancel', ...chain)).out).toContain('transaction 0 of lane');
  expect((await unsettledTransactions(deployment.world)).map(({ canceling }) => canceling)).toEqual([
    true,
    true,
  ]);
  expect((await run(deployment, 'lane', 'status', ...chain)).out).toMatch(/^0 +pending, canceling/m);
});

test('`lane resync` skips foreign transactions once they are final', async () => {
  const deployment = new WorldDeployment();
  await openOrReadLane(laneServices(deployment.world.services, deployment.world.lane));
  deployment.world.chain.spendNonce(deployment.world.signer.address);
  deployment.world.mine();
  const { exitCode, error } = await run(deployment, 'lane', 'resync', ...chain);
  expect(exitCode).toBe(1);
  expect(error).toContain('nonce 0 of the key is not final yet; try again later');
  deployment.world.mine(3);
  expect(await runJson(deployment, 'lane', 'resync', ...chain)).toMatchObject({
    ...{ paused: null, nonces: { next: 1, mined: 1, final: 1 } },
  });
});

describe('lane commands', () => {
  test('require a choice if two lanes send', async () => {
    const deployment = new WorldDeployment({ forwarder: true, delegates: ['key', forwarderAddress] });
    const { address } = await deployment.signerKeys.create('alias/imprimatur/Imprimatur/signer-1');
    deployment.world.chain.addOperator(forwarderAddress, address);
    deployment.world.mine(deployment.world.chain.settings.confirmations);
    await activateSigner(deployment.world.services, chainId, { address, keyId: 'key-1' });
    const { exitCode, error } = await run(deployment, 'lane', 'pause', '--chain', String(chainId));
    expect(exitCode).toBe(2);
    expect(error).toContain(`${deployment.world.signer.address}, ${address}`);
  });

  test('reject an unknown signer', async () => {
    const deployment = new WorldDeployment();
    const { exitCode, error } = await run(deployment, 'lane', 'pause', ...chain, '--signer', stranger);
    expect(exitCode).toBe(1);
    expect(error).toContain(
      `chain ${chainId} has no signer ${stranger}; run \`signer list --chain ${chainId}\``,
    );
  });
});
