import { describe, expect, test } from 'vitest';
import { laneState } from '../../../functions/domain/lane/lane-records.ts';
import { activateSigner } from '../../../functions/domain/operator/change-signers.ts';
import { committing, mineAndTurn, openTransactions } from '../../fakes/world/steps.ts';
import { alice, chainId, forwarderAddress, makeWorld } from '../../fakes/world/world.ts';
import { run, runJson } from './fake-deployment.ts';
import { WorldDesk } from './world-deployment.ts';

const chain = ['--chain', String(chainId)];
const stranger = makeWorld().chain.settings.registryAddress;

describe('lane status', () => {
  test('shows the lane that sends now, amounts of wei as decimal strings', async () => {
    const desk = new WorldDesk();
    desk.world.chain.setBalance(desk.world.signer.address, 10n ** 18n);
    await committing(desk.world, alice);
    expect(await runJson(desk, 'lane', 'status', ...chain)).toMatchObject({
      lane: desk.world.lane,
      waitingFor: 'the next block',
      unsettled: [{ nonce: 0, state: 'open', fees: { maxPriorityFeePerGas: '1000000000' } }],
      chain: { balanceWei: '1000000000000000000' },
    });
  });

  test('says first for people what the lane waits for', async () => {
    const desk = new WorldDesk({ dailyFeeBudget: 5 });
    await committing(desk.world, alice);
    await mineAndTurn(desk.world);
    const { exitCode, out } = await run(desk, 'lane', 'status', ...chain);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^waiting for +finality of nonce 0 \(1 of 3 confirmations\)\n/);
    expect(out).toMatch(/^NONCE +STATE .*\n0 +mined +1 +1 /m);
    expect(out).toMatch(/^spent today +\S+ of 5$/m);
    expect(out).toMatch(/^DELEGATE +QUEUED +OLDEST$/m);
  });

  test('shows a lane without a record, and the chain it cannot reach, as dashes', async () => {
    const desk = new WorldDesk();
    expect((await run(desk, 'lane', 'status', ...chain)).out).toMatch(/^nonces +-$/m);
    desk.world.chain.unreachable = true;
    expect((await run(desk, 'lane', 'status', ...chain)).out).toMatch(/^balance +-$/m);
  });

  test.each([['--lane'], ['--signer']])('shows the lane that %s names', async (option) => {
    const desk = new WorldDesk({ forwarder: true });
    const value = option === '--lane' ? desk.world.lane.toLowerCase() : desk.world.signer.address;
    expect(await runJson(desk, 'lane', 'status', ...chain, option, value)).toMatchObject({
      lane: desk.world.lane,
    });
  });
});

describe('lane pause and lane resume', () => {
  test('stop the lane for a reason, and let it go on', async () => {
    const desk = new WorldDesk();
    const nonces = { next: 0, mined: 0, final: 0 };
    expect(await runJson(desk, 'lane', 'pause', ...chain, '--reason', 'audit')).toEqual({
      ...{ lane: desk.world.lane, paused: 'audit', retired: null, nonces },
    });
    expect((await run(desk, 'lane', 'pause', ...chain)).out).toContain('is paused: paused by an operator');
    expect(await runJson(desk, 'lane', 'resume', ...chain)).toMatchObject({ paused: null });
    expect(desk.world.executions.started).toEqual([`${desk.world.lane}-1`]);
  });

  test('say why a lane cannot be resumed', async () => {
    const desk = new WorldDesk();
    await run(desk, 'lane', 'pause', ...chain);
    desk.world.chain.spendNonce(desk.world.signer.address);
    desk.world.mine();
    const { exitCode, error } = await run(desk, 'lane', 'resume', ...chain);
    expect(exitCode).toBe(1);
    expect(error).toContain('find out who else uses the key, then use `lane resync`');
  });
});

describe('lane cancel', () => {
  test('asks for the cancellation of the transaction that is named', async () => {
    const desk = new WorldDesk();
    await committing(desk.world, alice, 'first');
    await committing(desk.world, alice, 'second');
    expect(await runJson(desk, 'lane', 'cancel', ...chain, '--nonce', '1')).toEqual({
      ...{ lane: desk.world.lane, nonce: 1, cancelling: true },
    });
    expect((await run(desk, 'lane', 'cancel', ...chain)).out).toContain('Transaction 0 of lane');
    expect((await openTransactions(desk.world)).map(({ cancelling }) => cancelling)).toEqual([true, true]);
    expect((await run(desk, 'lane', 'status', ...chain)).out).toMatch(/^0 +open, cancelling/m);
  });
});

describe('lane resync', () => {
  test('says what it waits for, and goes on behind foreign transactions when they are final', async () => {
    const desk = new WorldDesk();
    await laneState(desk.world.services, desk.world.chain, desk.world.lane);
    desk.world.chain.spendNonce(desk.world.signer.address);
    desk.world.mine();
    const { exitCode, error } = await run(desk, 'lane', 'resync', ...chain);
    expect(exitCode).toBe(1);
    expect(error).toContain('nonce 0, is not 3 blocks deep yet; try again then');
    desk.world.mine(3);
    expect(await runJson(desk, 'lane', 'resync', ...chain)).toMatchObject({
      ...{ paused: null, nonces: { next: 1, mined: 1, final: 1 } },
    });
  });
});

describe('lane commands', () => {
  test('ask which lane is meant where two of them send', async () => {
    const desk = new WorldDesk({ forwarder: true, delegates: ['key', forwarderAddress] });
    const { address } = await desk.signerKeys.create('alias/imprimatur/Imprimatur/signer-1');
    desk.world.chain.setOperator(forwarderAddress, address);
    desk.world.mine(desk.world.chain.settings.confirmations);
    await activateSigner(desk.world.services, chainId, { address, keyId: 'key-1' });
    const { exitCode, error } = await run(desk, 'lane', 'pause', '--chain', String(chainId));
    expect(exitCode).toBe(2);
    expect(error).toContain(`${desk.world.lane}, ${chainId}-${address}`);
  });

  test('know no lane of a stranger', async () => {
    const desk = new WorldDesk();
    const { exitCode, error } = await run(desk, 'lane', 'pause', ...chain, '--signer', stranger);
    expect(exitCode).toBe(1);
    expect(error).toContain(`there is no lane ${chainId}-${stranger}; \`signer list --chain ${chainId}\``);
  });

  test.each([
    ['a lane of another chain', ['--lane', `1-${stranger}`], 'is not of chain 31337'],
    [
      'a lane and a signer',
      ['--lane', `${chainId}-${stranger}`, '--signer', stranger],
      'cannot be used with',
    ],
    ['a lane name that is none', ['--lane', 'main'], "A lane's name is its chain id"],
    ['a lane of a mistyped address', ['--lane', `1-0xA${'b'.repeat(39)}`], 'wrong checksum'],
  ])('refuse %s as wrong usage', async (_, options, complaint) => {
    const { exitCode, error } = await run(new WorldDesk(), 'lane', 'status', ...chain, ...options);
    expect({ exitCode, error }).toEqual({ exitCode: 2, error: expect.stringContaining(complaint) });
  });

  test.each([['-1'], ['1.5'], [''], ['01']])('refuse the nonce %j', async (nonce) => {
    const { exitCode } = await run(new WorldDesk(), 'lane', 'cancel', ...chain, '--nonce', nonce);
    expect(exitCode).toBe(2);
  });
});
