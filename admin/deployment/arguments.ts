import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Address } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { parseRpcUrls } from '../../functions/adapters/aws/ssm-rpc-urls.ts';
import { addressSchema } from '../../functions/domain/settings.ts';
import { UsageInvalidError } from '../terminal/errors.ts';

/** Makes a parser for commander that fails with the schema's first message. */
function parser<Value>(schema: z.ZodType<Value>): (text: string) => Value {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'The value is not valid.');
  };
}

const max = 200;
const shortText = (name: string) =>
  parser(z.string().trim().min(1, `A ${name} must not be empty.`).max(max, `At most ${max} characters.`));
export const parseName = shortText('name');
export const parseReason = shortText('reason');

export const parseAddress: (text: string) => Address = parser(addressSchema);

const wholeNumber = (form: RegExp, message: string) => z.string().regex(form, message).transform(Number);

export const parseChainId = parser(
  wholeNumber(/^[1-9]\d{0,15}$/, 'A chain ID is a positive whole number.').refine(
    Number.isSafeInteger,
    'A chain ID is at most 9007199254740991.',
  ),
);
export const parseNonce = parser(wholeNumber(/^(?:0|[1-9]\d{0,11})$/, 'A nonce is a whole number.'));
const parseCount = parser(
  wholeNumber(/^[1-9]\d{0,8}$/, 'A limit is a whole number from 1 to 999999999, or `default`.'),
);

export const parseDefaultChain = (text: string): number | 'none' =>
  text === 'none' ? text : parseChainId(text);

export const parseLimit = (text: string): number | 'default' =>
  text === 'default' ? text : parseCount(text);

/** Fee budgets by chain ID, in each chain's coin; `default` selects the budget of the settings. */
export type FeeBudgets = Readonly<Record<string, number | 'default'>>;

/** Parses `CHAIN=COINS`, and adds it to those of earlier options. */
export function parseFeeBudget(text: string, former: FeeBudgets = {}): FeeBudgets {
  const [, chainId = '', coins] = /^([1-9]\d{0,15})=(default|\d{1,9}(?:\.\d{1,18})?)$/.exec(text) ?? [];
  if (coins !== 'default' && !(Number(coins) > 0))
    throw new InvalidArgumentError('A fee budget is a chain ID with coins or `default`, such as 8453=0.05.');
  return { ...former, [parseChainId(chainId)]: coins === 'default' ? coins : Number(coins) };
}

export type Expiry = (now: Date) => Date;

/** Parses a number of days, such as `90d`, or a date, which means its start in UTC. */
export function parseExpiry(text: string): Expiry {
  const days = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  if (days !== undefined) return (now) => new Date(now.getTime() + Number(days) * 86_400_000);
  const date = z.iso.date().safeParse(text);
  if (date.success) return () => new Date(date.data);
  throw new InvalidArgumentError('Use a number of days or a date: 90d or 2027-01-31.');
}

/** Parses a date, which means its start in UTC, or an instant. */
export const parseTime = parser(
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'A time has the form 2026-11-23 or 2026-11-23T01:00:00Z.',
    })
    .transform((text) => new Date(text)),
);

export const parseMessageId = parser(
  z.string().regex(/^msg_[\w-]{1,100}$/, 'An event ID has the form msg_01234567-…_confirmed.'),
);

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);

export const parseUuid = parser(
  z.string().regex(uuid, 'An ID has the form 01234567-89ab-cdef-0123-456789abcdef.').toLowerCase(),
);

export const chainOption = ['--chain <id>', 'chain ID', parseChainId] as const;
export const orgOption = ['--org <org>', 'organization ID, or its name if it is unique'] as const;
export const orgArgument = ['<org>', 'organization ID, or its name if it is unique'] as const;

/** Makes a parser for a file with a private key. Errors omit the path, because it could be the key itself. */
export const readKeyFile =
  (option: string) =>
  (path: string): PrivateKeyAccount => {
    const [, digits] = /^(?:0x)?([\da-f]{64})$/i.exec(readText(option, path)) ?? [];
    try {
      return privateKeyToAccount(`0x${digits}`);
    } catch {
      throw new UsageInvalidError(`the ${option} file must contain one private key in hexadecimal`);
    }
  };

/** Makes a parser for a file with RPC URLs. Errors omit the URLs, which are secrets. @throws UsageInvalidError */
export const readUrls =
  (option: string) =>
  (path: string): string[] => {
    const text = readText(option, path);
    try {
      return parseRpcUrls(text, `the ${option} file`);
    } catch (error) {
      throw new UsageInvalidError((error as Error).message);
    }
  };

function readText(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageInvalidError(`cannot read the ${option} file; check the path and its permissions`);
  }
}
