import { readFileSync } from 'node:fs';
import type { Address } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import * as z from 'zod';
import { once } from '../../functions/adapters/aws/once.ts';
import { addressSchema } from '../../functions/domain/settings.ts';
import { readJson } from '../../lib/environment/read-json.ts';
import { readKeyFile, readUrls } from '../deployment/arguments.ts';
import { UsageInvalidError } from '../terminal/errors.ts';
import { offeredChains } from './describe-chain.ts';

/** What setup cannot derive. A function is called only if its answer is needed. */
export interface Answers {
  chainIds(): Promise<readonly number[]>;
  /** RPC URLs of a chain, which are secrets. */
  rpcUrls(chainId: number): Promise<readonly string[]>;
  alarmAddresses(): Promise<readonly string[]>;
  /** ARNs of who may assume the roles of operators and custodians, who also read contents. */
  operators(): Promise<readonly string[]>;
  delegate(): Promise<'forwarder' | 'key'>;
  /** Admin of the forwarders; `undefined`: the payer. */
  forwarderAdmin(): Promise<Address | undefined>;
  /** Account that deploys contracts and funds the signing key; `undefined`: somebody else does. */
  payer(): Promise<PrivateKeyAccount | undefined>;
  /** Coins that the payer sends to the signing key on each chain; `undefined`: somebody else does. */
  signerFunds(): Promise<number | undefined>;
  organization(): Promise<{ readonly name: string; readonly authority: Address }>;
  /** Key of the organization's authority, to delegate; `undefined`: the authority delegates elsewhere. */
  authorityKey(): Promise<PrivateKeyAccount | undefined>;
  /** First text to attest. */
  article(): Promise<string>;
  /** Asks before the first change. */
  confirm(): Promise<boolean>;
}

/** Admin of the forwarders that setup deploys; `undefined`: it deploys none. */
export const adminIn = async ({ forwarderAdmin, payer }: Answers): Promise<Address | undefined> =>
  (await forwarderAdmin()) ?? (await payer())?.address;

const path = z.string().min(1);
const funds = z.number().positive();
const organization = z.strictObject({ name: z.string().trim().min(1).max(200), authority: addressSchema });
const chainIdText = z.string().regex(/^[1-9]\d{0,15}$/, 'must be a chain id in quotes');

const answersSchema = z.strictObject({
  chains: z.array(z.int().positive()).min(1).optional(),
  /** Files with one RPC URL a line, by chain id. */
  rpcUrlFiles: z.record(chainIdText, path).default({}),
  alarmAddresses: z.array(z.string()).default([]),
  operators: z.array(z.string()).default([]),
  delegate: z.enum(['forwarder', 'key']).default('forwarder'),
  forwarderAdmin: addressSchema.optional(),
  payerKeyFile: path.optional(),
  signerFunds: funds.optional(),
  organization: organization.optional(),
  authorityKeyFile: path.optional(),
  articleFile: path.optional(),
});

const defaultArticle = 'The first text that this service attests.\n';

/** Answers from a file, for pipelines. A missing answer is an error only if it is needed. @throws FileInvalidError */
export function answersOf(file: string): Answers {
  const given = readJson(file, answersSchema);
  const required = <Value>(name: string, value: Value | undefined): Value => {
    if (value === undefined) throw new UsageInvalidError(`${file}: ${name} is missing`);
    return value;
  };
  const { payerKeyFile, authorityKeyFile, articleFile } = given;
  const article = articleFile === undefined ? defaultArticle : readFileSync(articleFile, 'utf8');
  const keyOf = (option: string, keyFile: string | undefined) =>
    once(async () => (keyFile === undefined ? undefined : readKeyFile(option)(keyFile)));
  return {
    chainIds: async () => required('chains', given.chains),
    rpcUrls: async (chainId) =>
      readUrls('rpcUrlFiles')(required(`rpcUrlFiles.${chainId}`, given.rpcUrlFiles[chainId])),
    alarmAddresses: async () => given.alarmAddresses,
    operators: async () => given.operators,
    delegate: async () => given.delegate,
    forwarderAdmin: async () => given.forwarderAdmin,
    payer: keyOf('payerKeyFile', payerKeyFile),
    signerFunds: async () => given.signerFunds,
    organization: async () => required('organization', given.organization),
    authorityKey: keyOf('authorityKeyFile', authorityKeyFile),
    article: async () => article,
    confirm: async () => false,
  };
}

/** Answers that a person types. Each question is asked once. */
export function promptedAnswers(prompts: Prompts): Answers {
  const { input, secret, choose, chooseSome, confirm } = prompts;
  const keyFile = (question: string, option: string) =>
    once(async () => {
      const file = await input(`${question} (Enter for none)`);
      return file === '' ? undefined : readKeyFile(option)(file);
    });
  const list = (question: string) =>
    once(async () =>
      (await input(`${question} (Enter for none)`)).split(/[\s,]+/).filter((part) => part !== ''),
    );
  const urls = new Map<number, readonly string[]>();
  return {
    chainIds: once(async () => {
      const choices = Object.entries(offeredChains).map(([id, { name }]) => ({ name, value: Number(id) }));
      return chooseSome('Chains to attest on', choices);
    }),
    rpcUrls: async (chainId) => {
      const name = offeredChains[chainId]?.name ?? `chain ${chainId}`;
      const known = urls.get(chainId);
      if (known) return known;
      const text = await secret(`RPC URL of ${name}, or a file with one URL per line`);
      const read = /^https?:\/\//.test(text) ? [text] : readUrls('RPC URLs')(text);
      urls.set(chainId, read);
      return read;
    },
    alarmAddresses: list('Email addresses and https URLs that receive alarms'),
    operators: list('ARNs of the IAM roles or users who get the roles of operators and custodians'),
    delegate: once(() =>
      choose('Authorities delegate to', [
        { name: 'a forwarder: its signing keys can be replaced', value: 'forwarder' },
        { name: 'the signing key itself: no contract to deploy', value: 'key' },
      ]),
    ),
    forwarderAdmin: once(async () => {
      const text = await input('Admin of the forwarder, such as a multisig (Enter for the paying account)');
      return text === '' ? undefined : checked('the admin', addressSchema, text);
    }),
    payer: keyFile('File with the private key that pays for contracts and funds', 'payerKeyFile'),
    signerFunds: once(async () => {
      const coins = Number(await input('Coins to send to the signing key on each chain (0 for none)'));
      return coins === 0 ? undefined : checked('coins', funds, coins);
    }),
    organization: once(async () => {
      const name = await input('Name of the first publisher');
      const authority = await input("Address of the publisher's authority");
      return checked('the publisher', organization, { name, authority });
    }),
    authorityKey: keyFile("File with the authority's private key, to delegate now", 'authorityKeyFile'),
    article: async () => defaultArticle,
    confirm: () => confirm('Continue?'),
  };
}

/** @throws UsageInvalidError */
function checked<Value>(what: string, schema: z.ZodType<Value>, answer: unknown): Value {
  const { data, error } = schema.safeParse(answer);
  if (data !== undefined) return data;
  throw new UsageInvalidError(`${what}: ${error?.issues[0]?.message}`);
}

interface Choice<Value> {
  readonly name: string;
  readonly value: Value;
}

/** Questions on a terminal. `secret` shows nothing of what is typed. */
export interface Prompts {
  input(question: string): Promise<string>;
  secret(question: string): Promise<string>;
  choose<Value>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
  chooseSome<Value>(question: string, choices: readonly Choice<Value>[]): Promise<readonly Value[]>;
  confirm(question: string): Promise<boolean>;
}
