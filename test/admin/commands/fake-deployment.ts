import type { Address, Hex } from 'viem';
import { expect } from 'vitest';
import type { Deployment } from '../../../admin/deployment/connect.ts';
import type { ChainView } from '../../../admin/deployment/connect-chain.ts';
import type { SignerKey, SignerKeys } from '../../../admin/deployment/kms-signer-keys.ts';
import { readSettingsInForce, ssmSettings } from '../../../admin/deployment/settings/ssm-settings.ts';
import { runAdmin, type Terminal } from '../../../admin/run-admin.ts';
import type { Records } from '../../../functions/domain/records.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { type ChainSettings, type Settings, settingsSchema } from '../../../functions/domain/settings.ts';
import type { FunctionAccess } from '../../../lib/access/function-access.ts';
import { custodianAccess, operatorAccess } from '../../../lib/access/operator-access.ts';
import { FakeParameters } from '../../fakes/aws/fake-parameters.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { FakeSigner } from '../../fakes/ports/fake-signer.ts';
import { recordsOfRole } from '../../fakes/ports/restricted-to-role.ts';
import { makeWorld } from '../../fakes/world/world.ts';

export const authority: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const otherAuthority: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const signerAddress: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const registryAddress: Address = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';

/** A deployment in memory that serves chain 31337, with a clock that a test can set. */
export class FakeDeployment implements Deployment {
  readonly stackName = 'Imprimatur';
  readonly operator = 'ada@desk';
  readonly records: MemoryRecords;
  readonly signerKeys: FakeSignerKeys;
  readonly delegates = new Map<Address, Address>();
  /** The delegate of each authority in the former registry. */
  readonly formerDelegates = new Map<Address, Address>();
  formerRegistries: ChainSettings['formerRegistries'] = [];
  chainDelegates: readonly (Address | 'key')[] = ['key'];
  time = new Date('2026-01-02T03:04:05.678Z');
  now = (): Date => this.time;

  constructor(records = new MemoryRecords(), signers = new Map<string, FakeSigner>()) {
    this.records = records;
    this.signerKeys = new FakeSignerKeys(signers);
  }

  readonly parameters = new FakeParameters();
  readonly settingsStore = {
    ...ssmSettings(this.parameters.client, '/S/settings', '/S/rpc-urls'),
    deployed: () => this.deployedSettings(),
  };

  settings(): Promise<Settings> {
    return readSettingsInForce(this.settingsStore);
  }

  async deployedSettings(): Promise<Settings> {
    const delegates = this.chainDelegates;
    const { formerRegistries } = this;
    const chain = { chainId: 31337, name: 'Local', registryAddress, delegates, formerRegistries };
    return settingsSchema.parse({ chains: [chain] });
  }

  async signerAddress(): Promise<Address> {
    return signerAddress;
  }

  async services(): Promise<Services> {
    const signer = { address: signerAddress, sign: () => Promise.reject(new Error('never signs')) };
    const settings = await this.settings();
    return { ...makeWorld().services, records: this.records, settings, signer: async () => signer };
  }

  async wait(_seconds: number): Promise<void> {}

  async chain(): Promise<ChainView> {
    return {
      delegateOf: async (registry, address) =>
        (registry === registryAddress ? this.delegates : this.formerDelegates).get(address) ?? null,
      nonceOf: async () => null,
      feeData: async () => ({ blockNumber: 1, baseFee: 10n ** 9n, tip: 0n, balance: 0n }),
      transactionCounts: async () => ({ mined: 0, known: 0 }),
    };
  }
}

export interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** The deployment with the table access of the role that runs the command. */
export function withAccess(access: FunctionAccess, deployment: Deployment): Deployment {
  const limited = (records: Records) => recordsOfRole('admin', access, records);
  const services = async () => {
    const given = await deployment.services();
    return { ...given, records: limited(given.records) };
  };
  return new Proxy(deployment, {
    get(target, name) {
      if (name === 'records') return limited(target.records);
      if (name === 'services') return services;
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

export async function runOn(
  argv: readonly string[],
  terminal: Pick<Terminal, 'readTarget' | 'connect' | 'connectAccount'> & Partial<Terminal>,
): Promise<Run> {
  let [out, error] = ['', ''];
  const exitCode = await runAdmin(argv, {
    isColored: false,
    isTerminal: false,
    pause: async () => false,
    ...terminal,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
  });
  return { exitCode, out, error };
}

export function run(deployment: Deployment, ...argv: string[]): Promise<Run> {
  return runOn(argv, {
    readTarget: () => ({ kind: 'cloud', stackName: 'Imprimatur' }),
    connect: async () => withAccess(argv.includes('erase') ? custodianAccess : operatorAccess, deployment),
    connectAccount: () => {
      throw new Error('this command does not ask for the account');
    },
  });
}

export const refusal = (exitCode: number, words: string) => ({
  ...{ exitCode, error: expect.stringContaining(words) },
});

export const answer = (exitCode: number, words: string) => ({
  ...{ exitCode, out: expect.stringContaining(words) },
});

export async function runJson(deployment: Deployment, ...argv: string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await run(deployment, ...argv, '--json')).out);
}

export async function createOrganization(
  deployment: Deployment,
  address: Address = authority,
): Promise<string> {
  const { id } = await runJson(deployment, 'org', 'create', '--name', 'The Paper', '--authority', address);
  return String(id);
}

/** KMS keys in memory, by alias; each is among the signers that the functions may use. */
export class FakeSignerKeys implements SignerKeys {
  readonly keys = new Map<string, SignerKey>();
  readonly unusable = new Set<string>();
  readonly #signers: Map<string, FakeSigner>;

  constructor(signers: Map<string, FakeSigner>) {
    this.#signers = signers;
  }

  async find(alias: string): Promise<SignerKey | 'unusable' | undefined> {
    return this.unusable.has(alias) ? 'unusable' : this.keys.get(alias);
  }

  async create(alias: string): Promise<SignerKey> {
    const number = this.keys.size + 1;
    const privateKey: Hex = `0x${number.toString(16).padStart(64, 'c')}`;
    const signer = new FakeSigner(privateKey);
    const key = { keyId: `key-${number}`, address: signer.address };
    this.keys.set(alias, key);
    this.#signers.set(key.keyId, signer);
    return key;
  }
}
