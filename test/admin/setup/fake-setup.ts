import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delegateForwarderAbi as abi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { Progress } from 'imprimatur-terminal/progress';
import {
  type Address,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  numberToHex,
  type PublicClient,
} from 'viem';
import { onTestFinished } from 'vitest';
import type { Account } from '../../../admin/account/connect-account.ts';
import type { Answers } from '../../../admin/setup/answers.ts';
import { type Changes, setupChanges } from '../../../admin/setup/changes.ts';
import type { Finding, Setup, Step } from '../../../admin/setup/step.ts';
import { type Environment, environmentSchema } from '../../../lib/environment/environment.ts';
import type { Supervisor } from '../../../local/process/supervise.ts';
import { fakeAccount } from '../commands/doctor/fake-account.ts';
import { authority, FakeDeployment, registryAddress } from '../commands/fake-deployment.ts';

/** What the chain's contracts and accounts answer. */
export interface ChainState {
  readonly chainId?: number;
  readonly balance?: bigint;
  /** Code of every address that is asked about. */
  readonly code?: Hex;
  readonly operators?: readonly Address[];
  readonly admin?: Address;
  readonly head?: number;
  /** Number of transactions of every account. */
  readonly sent?: number;
  /** Answers by method, which replace those of the other fields. */
  readonly methods?: Readonly<Record<string, (params: readonly unknown[]) => unknown>>;
}

/** Answers JSON-RPC by the state. Its blocks are two seconds apart. */
export function answerRpc(state: ChainState, method: string, params: readonly unknown[] = []): unknown {
  const {
    chainId = 31337,
    balance = 0n,
    code = '0x60',
    operators = [],
    admin,
    head = 5_000,
    sent = 0,
  } = state;
  const given = state.methods?.[method];
  if (given) return given(params);
  if (method === 'eth_chainId') return numberToHex(chainId);
  if (method === 'eth_getBalance') return numberToHex(balance);
  if (method === 'eth_getCode') return code;
  if (method === 'eth_getTransactionCount') return numberToHex(sent);
  if (method === 'eth_gasPrice') return numberToHex(10n ** 9n);
  if (method === 'eth_getBlockByNumber') {
    const number = params[0] === 'latest' ? head : Number(params[0]);
    return { number: numberToHex(number), timestamp: numberToHex(2 * number), transactions: [] };
  }
  if (method !== 'eth_call') throw new Error(`unexpected ${method}`);
  const { functionName, args } = decodeFunctionData({ abi, data: (params[0] as { data: Hex }).data });
  if (functionName === 'isOperator')
    return encodeFunctionResult({ abi, functionName, result: operators.includes(args[0] as Address) });
  return encodeFunctionResult({ abi, functionName: 'admin', result: admin as Address });
}

export const clientOn = (state: ChainState): PublicClient => {
  const request = async ({ method, params }: { method: string; params?: unknown[] }) =>
    answerRpc(state, method, params);
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
};

/** A person with the answers that the test gives, and defaults for the others. */
export const answersWith = (given: Partial<Answers> = {}): Answers => ({
  chainIds: async () => [31337],
  rpcUrls: async () => [],
  alarmAddresses: async () => [],
  operators: async () => [],
  delegate: async () => 'key',
  forwarderAdmin: async () => undefined,
  payer: async () => undefined,
  signerFunds: async () => undefined,
  organization: async () => ({ name: 'The Daily', authority }),
  authorityKey: async () => undefined,
  article: async () => 'A text.',
  confirm: async () => true,
  ...given,
});

/** The environment of `FakeDeployment`. */
export const environmentWith = (chain: object = {}, fields: object = {}): Environment =>
  environmentSchema.parse({
    ...{ account: '111122223333', region: 'eu-west-1', recommendedDelegate: 'key' },
    settings: { chains: [{ chainId: 31337, name: 'Local', registryAddress, ...chain }] },
    ...fields,
  });

export function temporaryFolder(): string {
  const folder = mkdtempSync(`${tmpdir()}/imprimatur-setup-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(`${folder}/environments`);
  return folder;
}

/** Records all changes. Makes only the given ones, and those of files and of the records in memory. */
export function recordedChanges(made: [string, ...unknown[]][], given: Partial<Changes> = {}) {
  return (place: Parameters<typeof setupChanges>[0]): Changes => {
    const { writeEnvironment, createOrganization, createKey, ...others } = setupChanges(place);
    const nothing = Object.fromEntries(Object.keys(others).map((name) => [name, async () => {}]));
    const changes = { writeEnvironment, createOrganization, createKey, ...nothing, ...given } as Changes;
    const recorded = Object.entries(changes).map(([name, change]) => [
      name,
      async (...args: unknown[]) => {
        made.push([name, ...args]);
        return (change as (...args: unknown[]) => Promise<void>)(...args);
      },
    ]);
    return Object.fromEntries(recorded);
  };
}

export interface Given {
  readonly account?: Partial<Account>;
  readonly deployment?: FakeDeployment | undefined;
  readonly answers?: Partial<Answers>;
  readonly changes?: Partial<Changes>;
  readonly environment?: Environment;
  readonly chain?: ChainState;
  readonly directory?: string;
}

/** A setup on fakes, of a deployed service unless `given` sets `deployment` to undefined. */
export function fakeSetup(given: Given = {}) {
  const made: [string, ...unknown[]][] = [];
  const { directory = temporaryFolder(), environment = environmentWith() } = given;
  const deployment = 'deployment' in given ? given.deployment : new FakeDeployment();
  const account = fakeAccount(given.account, deployment);
  const progress = new Progress({ write: () => {} });
  const changes = recordedChanges(
    made,
    given.changes,
  )({
    ...{ name: 'trial', target: account.target, environments: `${directory}/environments` },
    ...{ supervisor: { directory } as Supervisor, progress },
  });
  const setup: Setup = {
    ...{ name: 'trial', environment, environments: `${directory}/environments`, directory, account, changes },
    ...{ answers: answersWith(given.answers), progress },
    deployment: async () => deployment,
    chain: async ({ chainId }) => ({ chainId, urls: [], silent: [], client: clientOn(given.chain ?? {}) }),
  };
  return { setup, made };
}

/** Looks, acts once if setup can, and looks again. @returns the findings as texts, and the changes */
export async function lookAndAct(step: Step | undefined, given: Given = {}) {
  const { setup, made } = fakeSetup(given);
  const look = async () => step?.look(setup).catch((error: Error) => error);
  const first = await look();
  if (first && 'act' in first) await first.act();
  return { first: textOf(first), made, next: textOf(await look()) };
}

function textOf(finding: Finding | Error | undefined): string {
  if (finding === undefined || finding instanceof Error) return `error: ${finding?.message}`;
  const cost = 'cost' in finding ? `; ${finding.cost}` : '';
  const instructions = 'instructions' in finding ? `; ${finding.instructions}` : '';
  return `${finding.state}: ${finding.text}${cost}${instructions}`;
}
