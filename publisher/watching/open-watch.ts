import type { Address, AuthorityEvent, EventReader } from '../../verifier/verifier.ts';
import { UsageInvalidError, WatchBrokenError } from '../errors.ts';
import type { Session } from '../session.ts';
import { type Cursor, readCursor, type Subject } from './cursor.ts';
import { OwnEvents } from './own-events.ts';

type Verifier = typeof import('../../verifier/verifier.ts');

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

/** Those that are given, or those of the service that have events. @throws UsageInvalidError where there is none */
async function registriesOf(
  { isPublicRegistry, parseAddress }: Verifier,
  { note }: Session,
  own: OwnEvents | undefined,
  given: readonly string[] | undefined,
  chainId: number,
): Promise<readonly Address[]> {
  const all = given ?? (await own?.registries()) ?? [];
  const registries = all.map((address) => parseAddress('--registry', address));
  if (registries.length === 0)
    throw new UsageInvalidError(`say which registries of chain ${chainId} are watched, with --registry`);
  const watched = given ? registries : registries.filter((one) => !isPublicRegistry(chainId, one));
  if (watched.length === 0)
    throw new UsageInvalidError(
      'the service uses the public registry, which tells no events: it cannot be watched',
    );
  if (watched.length < registries.length)
    note('the public registry tells no events: what is done there is not watched');
  return watched;
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

async function cursorOf(
  reader: EventReader,
  subject: Subject,
  { since, cursor: path }: WatchChoice,
  finalDepth: number,
): Promise<Cursor> {
  const kept = path === undefined ? undefined : await readCursor(path, subject);
  if (kept && since !== undefined)
    throw new UsageInvalidError(
      `${path} goes on from block ${kept.block.number}: leave out --since, or the file`,
    );
  if (kept) return kept;
  const number = await beginning(reader, since, finalDepth);
  const block = await reader.block(number);
  if (!block) throw new WatchBrokenError(`the chain has no block ${number} yet`);
  const unfinal: readonly AuthorityEvent[] = [];
  return { block: { number, hash: block.hash }, unfinal };
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
  const authority = verifier.parseAddress('--authority', choice.authority);
  const chainId = await chainOf(session, choice.chain);
  const own = asksService(session) ? new OwnEvents(session.client, chainId, session.signal) : undefined;
  const registries = await registriesOf(verifier, session, own, choice.registry, chainId);
  const providers = choice.rpc ?? verifier.knownChains[chainId]?.providers ?? [];
  if (providers.length === 0)
    throw new UsageInvalidError(`no RPC provider of chain ${chainId} is known here: name one with --rpc`);
  const reader = new verifier.EventReader({
    providers,
    chainId,
    authorityAddress: authority,
    registries,
    signal: session.signal,
  });
  session.note(`asking providers of chain ${chainId} where the chain is`);
  await checkRegistries(verifier, reader, chainId);
  const subject = { chainId, authority, registries };
  return { subject, reader, own, cursor: await cursorOf(reader, subject, choice, choice.finalDepth) };
}
