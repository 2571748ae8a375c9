import { readFileSync } from 'node:fs';
import { type Address, formatEther } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import * as z from 'zod';
import { once } from '../../functions/adapters/aws/once.ts';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import { addressSchema, type ChainSettings } from '../../functions/domain/settings.ts';
import { environmentSchema } from '../../lib/environment/environment.ts';
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
  /** ARNs of the principals that may assume the roles of operators and custodians. Only custodians may read contents. */
  operators(): Promise<readonly string[]>;
  delegate(): Promise<'forwarder' | 'key'>;
  /** Admin of the forwarders; `undefined`: the payer. */
  forwarderAdmin(): Promise<Address | undefined>;
  /** Account that deploys contracts and funds the signing key; `undefined`: somebody else does. */
  payer(): Promise<PrivateKeyAccount | undefined>;
  /**
   * Coins that the payer sends to the signing key on a chain; `undefined`: somebody else does.
   * @param least in wei
   * @param cost highest cost of the key's transactions, as text
   */
  signerFunds(chain: ChainSettings, least: bigint, cost: string): Promise<number | undefined>;
  organization(): Promise<{ readonly name: string; readonly authority: Address }>;
  /** Key of the organization's authority, to delegate; `undefined`: the authority sends the delegation itself, outside setup. */
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
const { alarmAddresses, access } = environmentSchema.shape;
const { operators: principals } = access.unwrap().shape;
const chainIdText = z.string().regex(/^[1-9]\d{0,15}$/, 'must be a chain ID in quotes');

const answersSchema = z.strictObject({
  chains: z.array(z.int().positive()).min(1).optional(),
  /** Files with one RPC URL a line, by chain ID. */
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
  const article = articleFile === undefined ? defaultArticle : readArticle(articleFile);
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

/** @throws UsageInvalidError for a file that the service would refuse */
function readArticle(file: string): string {
  try {
    return parseContent(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file)))
      .text;
  } catch (error) {
    throw new UsageInvalidError(`articleFile ${file}: ${(error as Error).message}`);
  }
}

/** Answers that a person types. Each question is asked once. */
export function promptedAnswers(prompts: Prompts): Answers {
  const { input, secret, choose, chooseSome, confirm } = prompts;
  const optional = (question: string) => `${question} (Enter for none)`;
  const keyFile = (question: string, option: string) =>
    once(() => input(optional(question), (file) => (file === '' ? undefined : readKeyFile(option)(file))));
  const list = (question: string, schema: z.ZodType<readonly string[]>) =>
    once(() =>
      input(optional(question), (text) =>
        checked(
          schema,
          text.split(/[\s,]+/).filter((part) => part !== ''),
        ),
      ),
    );
  const fundsOn = onceEach((_, name: string, least: string, cost: string) =>
    input(
      `Coins to send to the signing key on ${name} (its transactions cost ${cost}): at least ${least}, or 0 for none`,
      (text) => (Number(text) === 0 ? undefined : checked(funds.min(Number(least)), Number(text))),
    ),
  );
  return {
    chainIds: once(async () => {
      const choices = Object.entries(offeredChains).map(([id, { name }]) => ({ name, value: Number(id) }));
      return chooseSome('Chains to attest on', choices);
    }),
    rpcUrls: onceEach((chainId) => {
      const name = offeredChains[chainId]?.name ?? `chain ${chainId}`;
      return secret(`RPC URL of ${name}, or a file with one URL per line`, (text) =>
        /^https?:\/\//.test(text) ? [text] : readUrls('RPC URLs')(text),
      );
    }),
    alarmAddresses: list('Email addresses and https URLs that receive alarms', alarmAddresses),
    operators: list(
      'ARNs of the IAM roles or users who get the roles of operators and custodians',
      principals,
    ),
    delegate: once(() =>
      choose('Authorities delegate to', [
        { name: 'a forwarder: its signing keys can be replaced', value: 'forwarder' },
        { name: 'the signing key itself: no contract to deploy', value: 'key' },
      ]),
    ),
    forwarderAdmin: once(() =>
      input('Admin of the forwarder, such as a multisig (Enter for the paying account)', (text) =>
        text === '' ? undefined : checked(addressSchema, text),
      ),
    ),
    payer: keyFile('File with the private key that pays for contracts and funds', 'payerKeyFile'),
    signerFunds: (chain, least, cost) => fundsOn(chain.chainId, chain.name, formatEther(least), cost),
    organization: once(async () => ({
      name: await input('Name of the first publisher', (text) => checked(organization.shape.name, text)),
      authority: await input("Address of the publisher's authority", (text) => checked(addressSchema, text)),
    })),
    authorityKey: keyFile("File with the authority's private key, to delegate now", 'authorityKeyFile'),
    article: async () => defaultArticle,
    confirm: () => confirm('Continue?'),
  };
}

/** @throws UsageInvalidError */
function checked<Value>(schema: z.ZodType<Value>, answer: unknown): Value {
  const { data, error } = schema.safeParse(answer);
  if (data !== undefined) return data;
  throw new UsageInvalidError(error?.issues[0]?.message ?? 'is not valid');
}

/** Asks once for each chain. */
function onceEach<Details extends unknown[], Value>(
  ask: (chainId: number, ...details: Details) => Promise<Value>,
) {
  const answers = new Map<number, Promise<Value>>();
  return (chainId: number, ...details: Details): Promise<Value> => {
    const answer = answers.get(chainId) ?? ask(chainId, ...details);
    answers.set(chainId, answer);
    return answer;
  };
}

interface Choice<Value> {
  readonly name: string;
  readonly value: Value;
}

/**
 * Questions on a terminal. `secret` shows an asterisk for each typed character. While `read` throws
 * `UsageInvalidError`, `input` and `secret` ask again.
 */
export interface Prompts {
  input<Value>(question: string, read: (text: string) => Value): Promise<Value>;
  secret<Value>(question: string, read: (text: string) => Value): Promise<Value>;
  choose<Value>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
  chooseSome<Value>(question: string, choices: readonly Choice<Value>[]): Promise<readonly Value[]>;
  confirm(question: string): Promise<boolean>;
}
