import { EventReader, isPublicRegistry, knownRegistries, parseAddress } from 'imprimatur-verifier';
import { CommandError, UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';
import { requireProviders } from '../verifying/providers.ts';
import { type Cursor, cursorFile, type StoredWatch, type WatchTarget } from './cursor.ts';
import { EventClassifier } from './event-classifier.ts';
import { type ReportEvent, ReportedEvents } from './reported-events.ts';
import { Watch } from './watch.ts';

export interface WatchOptions {
  readonly authority: string;
  readonly chain?: number;
  readonly registry?: readonly string[];
  readonly rpc?: readonly string[];
  readonly since?: string;
  readonly cursor?: string;
  readonly finalDepth: number;
}

/** Whether to use the service. One variable without the other is reported as an error later. */
const usesService = ({ variables }: Session) =>
  Boolean(variables.IMPRIMATUR_URL) || Boolean(variables.IMPRIMATUR_API_KEY);

async function chainOf(session: Session, chain: number | undefined): Promise<number> {
  if (chain !== undefined) return chain;
  const served = usesService(session) ? await session.client.chains({ signal: session.signal }) : [];
  const [only, ...others] = served;
  if (only && others.length === 0) return only.chainId;
  throw new UsageInvalidError('missing --chain');
}

/** The block before the first one to watch. @throws UsageInvalidError, EventsUnavailableError */
async function lastBlockBefore(reader: EventReader, { since, finalDepth }: WatchOptions): Promise<number> {
  if (since === undefined) {
    const { final, newest } = await reader.heads();
    return final?.number ?? Math.max(0, newest.number - finalDepth);
  }
  if (/^\d+$/.test(since)) return Math.max(0, Number(since) - 1);
  const milliseconds = Date.parse(since);
  if (Number.isNaN(milliseconds))
    throw new UsageInvalidError('--since must be a block number or a time, such as 2026-11-22T00:00:00Z');
  // Blocks have whole seconds, so "at or after 10:00:00" means "after 09:59:59".
  return (await reader.firstBlockAfter(Math.ceil(milliseconds / 1000) - 1)) - 1;
}

async function initialCursor(reader: EventReader, options: WatchOptions): Promise<Cursor> {
  const number = await lastBlockBefore(reader, options);
  const block = await reader.block(number);
  if (!block) throw new CommandError(`the chain has no block ${number} yet`);
  return { block: { number, hash: block.hash }, provisional: [] };
}

/** @throws UsageInvalidError for registries that emit no known events */
async function checkRegistries(reader: EventReader, chainId: number): Promise<void> {
  const [unknown] = await reader.unknownRegistries();
  if (unknown === undefined) return;
  const reason = isPublicRegistry(chainId, unknown)
    ? 'is the public registry, which documents no events'
    : 'is not a known registry';
  throw new UsageInvalidError(`${unknown} ${reason}, so it cannot be watched`);
}

/** @throws UsageInvalidError if both the file and an option set the start */
function checkStored(
  { cursor: { block }, registries: stored }: StoredWatch,
  { cursor: path, since }: WatchOptions,
  { registries }: WatchTarget,
  note: Session['note'],
): void {
  if (since !== undefined)
    throw new UsageInvalidError(`${path} resumes from block ${block.number}; omit --since or --cursor`);
  const watched = stored?.map((address) => address.toLowerCase());
  const isCovered = !watched || registries?.every((address) => watched.includes(address.toLowerCase()));
  if (!isCovered)
    note(
      `up to block ${block.number}, only ${stored?.join(', ')} was watched; to check the others, run with --since and without --cursor`,
    );
}

export async function openWatch(session: Session, options: WatchOptions, write: ReportEvent): Promise<Watch> {
  const { signal, note } = session;
  const authority = parseAddress('--authority', options.authority);
  const chainId = await chainOf(session, options.chain);
  const registries = options.registry?.map((address) => parseAddress('--registry', address));
  const providers = requireProviders(options.rpc, chainId, 'pass one with --rpc');
  const target = { chainId, authority, registries };
  const file = options.cursor === undefined ? undefined : cursorFile(options.cursor, target);
  const stored = await file?.read();
  if (stored) checkStored(stored, options, target, note);
  const reader = new EventReader({ providers, chainId, authorityAddress: authority, registries, signal });
  const classifier = usesService(session)
    ? new EventClassifier({ client: session.client, target, reader, signal })
    : undefined;
  note(`reading chain ${chainId}`);
  await checkRegistries(reader, chainId);
  const unwatched = knownRegistries(chainId).find((address) => isPublicRegistry(chainId, address));
  if (unwatched) note(`the public registry ${unwatched} documents no events and is not watched`);
  const cursor = stored?.cursor ?? (await initialCursor(reader, options));
  const reporter = new ReportedEvents(classifier, stored, write);
  const { finalDepth } = options;
  return new Watch({ target, unwatched, reader, classifier, cursor, file, reporter, finalDepth });
}
