import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delegateForwarderAbi as abi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { decodeFunctionData } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RpcUrlsMissingError } from '../../../admin/terminal/errors.ts';
import { changeState, openOrReadLane } from '../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../functions/domain/lane/lane-services.ts';
import { chainSigners } from '../../../functions/domain/lane/signers.ts';
import { pauseLane } from '../../../functions/domain/operator/lane-control.ts';
import { chainId } from '../../fakes/world/world.ts';
import { answer, refusal, run, runJson } from './fake-deployment.ts';
import { WorldDeployment } from './world-deployment.ts';

const gwei = 1_000_000_000n;
const feeData = { blockNumber: 1, baseFee: gwei, tip: gwei, balance: 10n ** 18n };
const chain = ['--chain', String(chainId)];
const rotate = ['signer', 'rotate', ...chain];
const alias = (number: number) => `alias/imprimatur/Imprimatur/signer-${number}`;

/** A deployment whose next key is created, funded and an operator. */
async function preparedDeployment(): Promise<WorldDeployment> {
  const deployment = new WorldDeployment({ forwarder: true });
  const { address } = await deployment.signerKeys.create(alias(1));
  deployment.world.chain.addOperator(deployment.world.delegateAddress, address);
  deployment.world.mine(deployment.world.chain.settings.confirmations);
  return deployment;
}

const states = async ({ world }: WorldDeployment) =>
  (await chainSigners(world.services, chainId)).map(({ state, keyId }) => [keyId, state]);

function fileWith(text: string): string {
  const directory = mkdtempSync(`${tmpdir()}/imprimatur-`);
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(`${directory}/key`, text);
  return `${directory}/key`;
}

describe('signer rotate', () => {
  test('creates a key and prints the remaining steps without switching', async () => {
    const deployment = new WorldDeployment({ forwarder: true });
    const { delegateAddress } = deployment.world;
    const { exitCode, out } = await run(deployment, ...rotate, '--json');
    const { signer, switched, missing } = JSON.parse(out);
    expect({ exitCode, switched }).toEqual({ exitCode: 3, switched: false });
    expect(signer).toEqual(deployment.signerKeys.keys.get(alias(1)));
    const call = missing.find(({ step }: { step: string }) => step === 'addOperator')?.call;
    expect(call).toMatchObject({
      functionName: 'addOperator',
      operator: signer.address,
      to: delegateAddress,
    });
    expect(decodeFunctionData({ abi, data: call.data })).toEqual({
      functionName: 'addOperator',
      args: [signer.address],
    });
    expect(await states(deployment)).toEqual([[undefined, 'active']]);
  });

  test('`signer list` shows that the active key needs funds', async () => {
    const deployment = new WorldDeployment();
    deployment.world.chain.setBalance(deployment.world.signer.address, 0n);
    const { out } = await run(deployment, 'signer', 'list', ...chain);
    expect(out).toContain(`Fund ${deployment.world.signer.address}`);
  });

  test('asks to fund a new key without funds', async () => {
    const deployment = await preparedDeployment();
    const { address } = deployment.signerKeys.keys.get(alias(1)) ?? {};
    if (address) deployment.world.chain.setBalance(address, 0n);
    expect(await run(deployment, ...rotate)).toMatchObject(answer(3, `Fund ${address}`));
    expect(await states(deployment)).toEqual([[undefined, 'active']]);
  });

  test('waits until the key is an operator at a final block', async () => {
    const deployment = new WorldDeployment({ forwarder: true });
    const { address } = await deployment.signerKeys.create(alias(1));
    deployment.world.chain.addOperator(deployment.world.delegateAddress, address);
    deployment.world.mine();
    expect(await run(deployment, ...rotate)).toMatchObject(answer(3, 'is 3 blocks deep'));
    deployment.world.mine(3);
    expect((await run(deployment, ...rotate)).exitCode).toBe(0);
  });

  test('switches when all steps are done, and prints how to remove the former key', async () => {
    const deployment = await preparedDeployment();
    const { exitCode, out } = await run(deployment, ...rotate);
    expect(exitCode).toBe(0);
    expect(out).toContain(`is now the signer of chain ${chainId}`);
    expect(out).toContain(`removeOperator(${deployment.world.signer.address})`);
    expect(await states(deployment)).toEqual([
      [undefined, 'draining'],
      ['key-1', 'active'],
    ]);
  });

  test.each([
    [12, 12],
    [0.25, 1],
  ])(
    'with --wait, waits for the block time of %d s, but at least a second',
    async (blockTimeSeconds, waited) => {
      const deployment = new WorldDeployment({ forwarder: true, blockTimeSeconds });
      deployment.onWait = (seconds) => {
        expect(seconds).toBe(waited);
        const { address } = deployment.signerKeys.keys.get(alias(1)) ?? {};
        if (address) deployment.world.chain.addOperator(deployment.world.delegateAddress, address);
      };
      expect((await run(deployment, ...rotate, '--wait')).exitCode).toBe(0);
      expect(await states(deployment)).toContainEqual(['key-1', 'active']);
    },
  );

  test('requires the key to be an operator of former forwarders in the record of the lane', async () => {
    const deployment = await preparedDeployment();
    const former = '0x3333333333333333333333333333333333333333';
    deployment.world.chain.addForwarder(former);
    const { services, lane } = deployment.world;
    const state = await openOrReadLane(laneServices(services, lane));
    await deployment.world.records.update(changeState(state, { delegates: [former] }));
    expect(await run(deployment, ...rotate)).toMatchObject(
      answer(3, `From the admin of forwarder ${former}, call addOperator`),
    );
  });

  test('rejects a rotation while the lane is paused', async () => {
    const deployment = await preparedDeployment();
    await pauseLane(deployment.world.services, deployment.world.lane, 'registry incident');
    expect(await run(deployment, ...rotate)).toMatchObject(refusal(1, 'is paused (registry incident)'));
    expect(await states(deployment)).toEqual([[undefined, 'active']]);
  });

  test('uses the next free key and skips unusable ones', async () => {
    const deployment = await preparedDeployment();
    await run(deployment, ...rotate);
    const { world } = deployment;
    world.chain.setBalance(world.signer.address, 1_500_000_000_000_000_001n);
    expect(await runJson(deployment, 'signer', 'list', ...chain)).toEqual({
      chainId,
      delegates: [world.delegateAddress],
      signers: [
        {
          ...{ address: world.signer.address, state: 'draining', lane: world.lane, keyId: null },
          ...{ balanceWei: '1500000000000000001', operatorOf: [world.delegateAddress] },
        },
        expect.objectContaining({ state: 'active', keyId: 'key-1', operatorOf: [world.delegateAddress] }),
      ],
    });
    expect((await run(deployment, 'signer', 'list', ...chain)).out).toContain('1.500000000000000001');
    await deployment.signerKeys.create(alias(2));
    deployment.signerKeys.unusable.add(alias(2));
    const { signer } = await runJson(deployment, ...rotate);
    expect(signer).toEqual(deployment.signerKeys.keys.get(alias(3)));
  });

  test('explains what to do if authorities delegate to the key itself', async () => {
    const deployment = new WorldDeployment();
    expect(await run(deployment, ...rotate)).toMatchObject(refusal(1, 'deploy a DelegateForwarder'));
    expect(deployment.signerKeys.keys.size).toBe(0);
  });

  test.each([
    ['is not there', () => '/nonexistent/key', 'cannot read'],
    ['holds no key', () => fileWith('secret words'), 'must contain one private key'],
    ['holds an impossible key', () => fileWith('0'.repeat(64)), 'must contain one private key'],
  ])('rejects an admin key file that %s, without printing it', async (_, path, complaint) => {
    const file = path();
    const { exitCode, error } = await run(new WorldDeployment(), ...rotate, '--admin-key-file', file);
    expect({ exitCode, error }).toEqual({ exitCode: 2, error: expect.stringContaining(complaint) });
    expect(error).not.toContain(file);
    expect(error).not.toContain('secret');
  });
});

describe('signer revoke', () => {
  test("switches at once and prints the admin's remaining steps", async () => {
    const deployment = await preparedDeployment();
    await run(deployment, ...rotate);
    const { address = '' } = deployment.signerKeys.keys.get(alias(1)) ?? {};
    const revoked = await runJson(deployment, 'signer', 'revoke', address, ...chain);
    expect(revoked).toMatchObject({
      ...{
        chainId,
        address,
        active: deployment.world.signer.address,
        sent: [],
        missing: [],
        isDelegate: false,
      },
      calls: [{ functionName: 'removeOperator', operator: address, to: deployment.world.delegateAddress }],
    });
    expect(await states(deployment)).toEqual([
      [undefined, 'active'],
      ['key-1', 'revoked'],
    ]);
  });

  test('prints what the next signer still needs', async () => {
    const deployment = await preparedDeployment();
    await run(deployment, ...rotate);
    const { world } = deployment;
    world.chain.removeOperator(world.delegateAddress, world.signer.address);
    world.mine();
    const { address = '' } = deployment.signerKeys.keys.get(alias(1)) ?? {};
    const { out } = await run(deployment, 'signer', 'revoke', address, ...chain);
    expect(out).toContain(`${world.signer.address} cannot send yet:`);
    expect(out).toContain(`addOperator(${world.signer.address})`);
  });

  test.each([
    ['the chain has no RPC URLs', 0],
    ['the second call would revert', 1],
  ])('reports what the admin has sent and still has to send if %s', async (_, sentCount) => {
    const deployment = await preparedDeployment();
    await run(deployment, ...rotate);
    const { world } = deployment;
    const former = '0x3333333333333333333333333333333333333333';
    world.chain.addForwarder(former);
    world.chain.addOperator(former, world.signer.address);
    const state = await openOrReadLane(laneServices(world.services, world.lane));
    await world.records.update(changeState(state, { delegates: [former] }));
    if (sentCount === 0)
      deployment.chain = () => Promise.reject(new RpcUrlsMissingError(chainId, '/rpc-urls'));
    let simulations = 0;
    world.chain.simulate = async () => {
      const reverts = ++simulations > sentCount;
      const failures = new Map(reverts ? [[0, 'SenderNotAdmin']] : []);
      return { ...{ feeData, failures, states: [] }, ...(!reverts && { gas: 50_000n }) };
    };
    world.chain.send = async () => {};
    const file = fileWith(`0x${'11'.repeat(32)}`);
    const revoke = ['signer', 'revoke', world.signer.address, ...chain, '--admin-key-file', file];
    const { exitCode, out } = await run(deployment, ...revoke);
    expect(exitCode).toBe(0);
    expect(out).toContain(`${world.signer.address} is revoked`);
    expect(out).toContain("Sending the admin's transactions failed: ");
    expect(out.match(/Sent the admin's transaction/g) ?? []).toHaveLength(sentCount);
    expect(out.match(/call removeOperator/g)).toHaveLength(2 - sentCount);
  });

  test('switches even if the chain is unreachable', async () => {
    const deployment = await preparedDeployment();
    await run(deployment, ...rotate);
    deployment.world.chain.unreachable = true;
    expect(
      await run(deployment, 'signer', 'revoke', deployment.world.signer.address, ...chain),
    ).toMatchObject(answer(0, `removeOperator(${deployment.world.signer.address})`));
    expect(await states(deployment)).toContainEqual([undefined, 'revoked']);
  });

  test('refuses to revoke the last key without --force', async () => {
    const deployment = new WorldDeployment();
    const command = ['signer', 'revoke', deployment.world.signer.address, ...chain];
    expect(await run(deployment, ...command)).toMatchObject(refusal(1, 'rotate first'));
    const { out } = await run(deployment, ...command, '--force');
    expect(out).toContain('no signer is left');
    expect(out).toContain('to revoke or change their delegation');
  });
});
