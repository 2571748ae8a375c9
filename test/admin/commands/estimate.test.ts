import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Account } from '../../../admin/account/connect-account.ts';
import { type Settings, settingsSchema } from '../../../functions/domain/settings.ts';
import { answeringServer } from '../../fakes/rpc/answering-server.ts';
import { fakeAccount } from './doctor/fake-account.ts';
import { FakeDeployment, type Run, registryAddress, runOn } from './fake-deployment.ts';

const own = '0x1111111111111111111111111111111111111111';

/** A deployment that serves chain 31337 at a base fee of 1 gwei, with these settings of the chain. */
class EstimatedDeployment extends FakeDeployment {
  readonly #chain: object;

  constructor(chain: object = {}) {
    super();
    this.#chain = chain;
  }

  override async settings(): Promise<Settings> {
    const fields = { chainId: 31337, name: 'Local', registryAddress: own, maxFeePerGasGwei: 10 };
    return settingsSchema.parse({ chains: [{ ...fields, ...this.#chain }] });
  }
}

const run = (argv: readonly string[], account: Account): Promise<Run> =>
  runOn(['estimate', ...argv], {
    readTarget: () => account.target,
    connect: () => account.deployment(),
    connectAccount: () => account,
  });

const archive = ['--chain', '31337', '--articles', '10000'];

const estimateOf = async (deployment: FakeDeployment, argv = archive) =>
  JSON.parse((await run([...argv, '--json'], fakeAccount({}, deployment))).out);

test('`estimate` prints cost now and at the cap, time, and days', async () => {
  const account = fakeAccount({}, new EstimatedDeployment({ dailyFeeBudget: 0.2 }));
  const { exitCode, out } = await run(archive, account);
  expect(exitCode).toBe(0);
  expect(out).toBe(
    [
      '10,000 attestations on chain 31337 (Local)',
      'Fees are 1.1 gwei now, and the cap is 10 gwei.',
      '',
      'SENT AS        GAS EACH  TRANSACTIONS  COINS NOW  COINS AT THE CAP  AWS (USD)',
      'batches of 48  42,000    418           0.462      4.2               2.50',
      'single         163,000   20,000        1.79       16.3              7.90',
      '',
      'AWS also takes about 21 USD a month, without any attestation.',
      'Sending takes at least 44 min, limited by limits.inFlight 1000.',
      'At current fees, daily limits spread it over 1 day (attestationsPerDay), 10 days (organizationDailyFeeBudget), 3 days (dailyFeeBudget).',
      '',
    ].join('\n'),
  );
});

test('`estimate` adds the fees of a rollup for each transaction', async () => {
  const deployment = new EstimatedDeployment();
  const plain = await estimateOf(deployment);
  const view = await deployment.chain();
  const rollupFees = (bytes: number) => ({
    ...{ dataFee: BigInt(bytes), operatorFeeConstant: 1_000n, operatorFeePerMillionGas: 1_000_000n },
  });
  deployment.chain = async () => ({
    ...view,
    feeData: async (bytes) => ({ ...(await view.feeData(bytes)), rollupFees: rollupFees(bytes) }),
  });
  const { batch, single } = await estimateOf(deployment);
  const added = (cost: { nowWei: string }, before: { nowWei: string }) =>
    Number(BigInt(cost.nowWei) - BigInt(before.nowWei));
  expect(added(batch, plain.batch)).toBe(209 * (196 + 4_988 + 2_000) + 42_000 * 10_000);
  expect(added(single, plain.single)).toBe(10_000 * (196 + 356 + 2_000) + 163_000 * 10_000);
});

test('`estimate` knows that the public registry takes no batches, and that fees above the cap make attestations wait', async () => {
  const publicly = { chainId: 1, registryAddress, maxFeePerGasGwei: 1 };
  const deployment = new EstimatedDeployment(publicly);
  const argv = ['--chain', '1', '--articles', '10'];
  expect(await estimateOf(deployment, argv)).toMatchObject({ batch: null, coin: 'ETH' });
  const { out } = await run(argv, fakeAccount({}, deployment));
  expect(out).toContain('The public registry takes no batches.');
  expect(out).toContain('and the cap is 1 gwei: attestations wait.');
});

function urlFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'imprimatur-urls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'urls.txt'), text);
  return join(folder, 'urls.txt');
}

const untouched = (): never => {
  throw new Error('touched');
};

test('`estimate --rpc-file` needs no deployment, and prints no URL', async () => {
  const answers: Record<string, unknown> = {
    ...{ eth_chainId: '0x2105', eth_getBalance: '0x0', eth_call: `0x${'64'.padStart(64, '0')}` },
    eth_feeHistory: {
      oldestBlock: '0x1',
      baseFeePerGas: ['0x1', '0x1'],
      gasUsedRatio: [0.5],
      reward: [['0x1']],
    },
  };
  const url = await answeringServer((body) => {
    const calls = [JSON.parse(body)].flat() as { id: number; method: string }[];
    const replies = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: answers[method] }));
    return { body: JSON.stringify(body.startsWith('[') ? replies : replies[0]) };
  });
  const account = fakeAccount({ stack: untouched, deployment: untouched });
  const file = urlFile(`${url}/secret-key`);
  const { exitCode, out, error } = await run(
    ['--chain', '8453', '--articles', '48', '--rpc-file', file, '--json'],
    account,
  );
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(JSON.parse(out)).toMatchObject({
    chainId: 8453,
    coin: 'ETH',
    feeCapGwei: 200,
    batch: { transactions: 2 },
  });
  expect(out).not.toContain('secret-key');
  const failed = await run(['--chain', '10', '--articles', '48', '--rpc-file', file], account);
  expect(failed).toMatchObject({ exitCode: 1, out: '' });
  expect(failed.error).toContain('no RPC provider responds as chain 10; check the --rpc-file file');
  expect(failed.error).not.toContain('secret-key');
});

test.each([
  ['an unserved chain', ['--chain', '5', '--articles', '1'], 'chain 5 is not served; pass --rpc-file'],
  [
    'a missing file',
    [...archive, '--rpc-file', 'https://a.example/secret'],
    'cannot read the --rpc-file file',
  ],
])('`estimate` rejects %s', async (_, argv, complaint) => {
  for (const stack of [fakeAccount().stack, async () => undefined]) {
    const { exitCode, error } = await run(argv, fakeAccount({ stack }));
    expect(exitCode).toBe(2);
    expect(error).toContain(complaint);
    expect(error).not.toContain('secret');
  }
});
