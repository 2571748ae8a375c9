import type { Address, EventReader } from 'imprimatur-verifier';
import { UsageInvalidError, WatchBrokenError } from '../errors.ts';
import type { Session } from '../session.ts';
import { type Cursor, CursorFile, type KeptWatch, type Subject } from './cursor.ts';
import { OwnEvents } from './own-events.ts';

type Verifier = typeof import('imprimatur-verifier');

/** Options that say what is watched, and from where on. */
export interface WatchChoice {
  readonly authority: string;
  readonly chain?: number;
  readonly registry?: readonly string[];
  readonly rpc?: readonly string[];
  readonly since?: string;
  readonly cursor?: string;
}

/** A watch that can begin. */
export interface OpenWatch {
  readonly subject: Subject;
  readonly reader: EventReader;
  /** `undefined` where the service is not asked. */
  readonly own: OwnEvents | undefined;
  readonly cursor: Cursor;
  /** Where the place is kept; `undefined` where it is not. */
  readonly file: CursorFile | undefined;
  /** What a former watch has not told yet, and will not tell. */
  readonly kept: Pick<KeptWatch, 'undecided' | 'silent'>;
  /** The public registry, where it is on the chain: it documents no events, and what is done there is not seen. */
  readonly unwatched: Address | undefined;
}

/** The service is asked where its variables are set; one of the two alone is a mistake, which is told. */
const asksService = ({ variables }: Session) =>
  Boolean(variables.IMPRIMATUR_URL) || Boolean(variables.IMPRIMATUR_API_KEY);

async function chainOf(session: Session, chain: number | undefined): Promise<number> {
  if (chain !== undefined) return chain;
  const served = asksService(session) ? await session.client.chains({ signal: session.signal }) : [];
  const [only, ...others] = served;
  if (only && others.length === 0) return only.chainId;
  throw new UsageInvalidError('say which chain is watched, with --chain');
}

/** The last block before the beginning. @throws UsageInvalidError, EventsUnavailableError */
async function beginning(
  reader: EventReader,
  since: string | undefined,
  finalDepth: number,
): Promise<number> {
  if (since === undefined) {
    const { final, newest } = await reader.ends();
    return final?.number ?? Math.max(0, newest.number - finalDepth);
  }
  if (/^\d+$/.test(since)) return Math.max(0, Number(since) - 1);
  const milliseconds = Date.parse(since);
  if (Number.isNaN(milliseconds))
    throw new UsageInvalidError('--since is a block number or a time, such as 2026-11-22T00:00:00Z');
  // The first block at the time or after it is the first one after the second before.
  return (await reader.firstBlockAfter(Math.ceil(milliseconds / 1000) - 1)) - 1;
}

async function beginningCursor(
  reader: EventReader,
  since: string | undefined,
  finalDepth: number,
): Promise<Cursor> {
  const number = await beginning(reader, since, finalDepth);
  const block = await reader.block(number);
  if (!block) throw new WatchBrokenError(`the chain has no block ${number} yet`);
  return { block: { number, hash: block.hash }, unfinal: [] };
}

/** @throws UsageInvalidError for registries without events that are known here */
async function checkRegistries({ isPublicRegistry }: Verifier, reader: EventReader, chainId: number) {
  const [unknown] = await reader.unknownRegistries();
  if (unknown === undefined) return;
  const why = isPublicRegistry(chainId, unknown)
    ? 'is the public registry, which tells no events'
    : 'is no registry that is known here';
  throw new UsageInvalidError(`${unknown} ${why}: it cannot be watched`);
}

/** Whether a watch of these registries has read all that is to be watched. */
function covers(kept: readonly Address[] | undefined, registries: readonly Address[] | undefined): boolean {
  const known = kept?.map((one) => one.toLowerCase());
  return !known || Boolean(registries?.every((one) => known.includes(one.toLowerCase())));
}

/** @throws UsageInvalidError where both the file and the options say where to begin */
function checkKept(
  { path }: CursorFile,
  { cursor: { block }, registries }: KeptWatch,
  since: string | undefined,
  subject: Subject,
  note: Session['note'],
): void {
  if (since !== undefined)
    throw new UsageInvalidError(`${path} goes on from block ${block.number}: leave out --since, or the file`);
  if (!covers(registries, subject.registries))
    note(
      `up to block ${block.number} only ${registries?.join(', ')} was watched: a look with --since and without --cursor tells what was done elsewhere`,
    );
}

/**
 * Finds out what is watched, whether it can be, and from which block on.
 * @throws UsageInvalidError, WatchBrokenError; EventsUnavailableError, ReferenceInvalidError and RpcUrlInvalidError of the
 * verifier; errors of the client
 */
export async function openWatch(
  verifier: Verifier,
  session: Session,
  choice: WatchChoice & { readonly finalDepth: number },
): Promise<OpenWatch> {
  const { signal } = session;
  const authority = verifier.parseAddress('--authority', choice.authority);
  const chainId = await chainOf(session, choice.chain);
  const registries = choice.registry?.map((address) => verifier.parseAddress('--registry', address));
  const providers = choice.rpc ?? verifier.knownChains[chainId]?.providers ?? [];
  if (providers.length === 0)
    throw new UsageInvalidError(`no RPC provider of chain ${chainId} is known here: name one with --rpc`);
  const subject = { chainId, authority, registries };
  const file = choice.cursor === undefined ? undefined : new CursorFile(choice.cursor, subject);
  const kept = await file?.read();
  if (file && kept) checkKept(file, kept, choice.since, subject, session.note);
  const query = { providers, chainId, authorityAddress: authority, registries, signal };
  const reader = new verifier.EventReader(query);
  const own = asksService(session) ? new OwnEvents(session.client, subject, reader, signal) : undefined;
  session.note(`asking providers of chain ${chainId} where the chain is`);
  await checkRegistries(verifier, reader, chainId);
  const { isPublicRegistry, knownRegistries } = verifier;
  const unwatched = knownRegistries(chainId).find((address) => isPublicRegistry(chainId, address));
  if (unwatched)
    session.note(`${unwatched}, the public registry, tells no events: what is done there is not watched`);
  const cursor = kept?.cursor ?? (await beginningCursor(reader, choice.since, choice.finalDepth));
  return { subject, reader, own, cursor, file, kept: kept ?? { undecided: [], silent: [] }, unwatched };
}
