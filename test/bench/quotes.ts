import { sha256 } from 'viem';
import { AttestedText } from '../../packages/verifier/src/quote/attested-text.ts';
import { cidOfDigest } from '../../packages/verifier/src/reference/content-cid.ts';
import {
  publicQuoteTreeOf,
  quoteTreeOf,
  quoteTreeWithRoot,
} from '../../packages/verifier/src/text/quote-tree.ts';
import { type Table, tenths, withinLimit } from './report.ts';
import { timeTasks } from './timing.ts';

const rounds = 9;
const megabyte = 1_048_576;

/** Targets in milliseconds. */
const limits = { root: 500, proof: 10 };

/** Different lines of one-byte characters, so that no chunk and no passage occurs twice. */
const lines = Array.from({ length: 25_000 }, (_, line) => `Line ${line} says what no other one says.\n`);
const text = lines.join('').slice(0, megabyte);

/** A text with a surrogate pair across a chunk border, so that our root differs from that of public tools. */
const pairAcrossBorder = `${'a'.repeat(45)}😀${text}`.slice(0, megabyte - 2);

const reference = {
  chainId: 1,
  registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381',
  attestationIndex: 1,
  authorityAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  contentCid: cidOfDigest(sha256(new TextEncoder().encode(text))),
} as const;

export async function measureQuotes(): Promise<Table[]> {
  const attested = new AttestedText(reference, text);
  const publicRoot = publicQuoteTreeOf(pairAcrossBorder).root ?? '0x';
  const passage = text.slice(700_000, 700_300);
  const pieces = [text.slice(10, 60), text.slice(500_000, 500_100), text.slice(-40)];
  const tasks: [name: string, limitMs: number, run: () => unknown][] = [
    ['quote root', limits.root, () => quoteTreeOf(text).root],
    [
      'quote root, recognized as that of public tools',
      2 * limits.root,
      () => quoteTreeWithRoot(pairAcrossBorder, publicRoot),
    ],
    ['digest and quote root', limits.root, () => new AttestedText(reference, text)],
    ['proof of 300 characters', limits.proof, () => attested.quote(passage)],
    ['proof of three pieces', limits.proof, () => attested.quote(pieces)],
  ];
  const timings = await timeTasks(new Map(tasks.map(([name, , run]) => [name, run])), rounds);
  return [
    {
      title: 'A text of 1 MiB in the verifier',
      columns: ['task', 'median ms', 'worst ms', 'target ms', 'within target'],
      rows: tasks.map(([name, limitMs]) => {
        const { median, worst } = timings.get(name) ?? { median: Number.NaN, worst: Number.NaN };
        return [name, tenths(median), tenths(worst), limitMs, withinLimit(median, limitMs)];
      }),
    },
  ];
}
