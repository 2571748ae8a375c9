import type { Address, EventReader } from '../../verifier/verifier.ts';
import { UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';
import type { OwnEvents } from './own-events.ts';

type Verifier = typeof import('../../verifier/verifier.ts');

/** No registry that is known here is older: this project's first source is of that day. Seconds since 1970. */
const firstRegistryAt = Date.UTC(2026, 10, 21) / 1000;

const isSame = (one: Address, other: Address) => one.toLowerCase() === other.toLowerCase();

/** Those that are not among others. */
export const without = (registries: readonly Address[], others: readonly Address[]) =>
  registries.filter((one) => !others.some((other) => isSame(one, other)));

/** Those that are given, or those of the service that have events. @throws UsageInvalidError where there is none */
export async function registriesOf(
  { isPublicRegistry, parseAddress }: Verifier,
  { note }: Pick<Session, 'note'>,
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
export async function checkRegistries(
  { isPublicRegistry }: Verifier,
  reader: EventReader,
  chainId: number,
): Promise<void> {
  const [unknown] = await reader.unknownRegistries();
  if (unknown === undefined) return;
  const why = isPublicRegistry(chainId, unknown)
    ? 'is the public registry, which tells no events'
    : 'is no registry that is known here';
  throw new UsageInvalidError(`${unknown} ${why}: it cannot be watched`);
}

/** A block that is not after a registry's own first one. @throws EventsUnavailableError */
export async function firstBlockOfRegistries(reader: EventReader): Promise<number> {
  const { newest } = await reader.ends();
  // A chain of one's own may have a clock of its own.
  return newest.timestamp < firstRegistryAt ? 0 : reader.firstBlockAfter(firstRegistryAt - 1);
}

/** Registries that the service begins to use while a watch runs. */
export class NewRegistries {
  readonly #verifier: Verifier;
  readonly #reader: EventReader;
  readonly #own: OwnEvents | undefined;
  readonly #note: Session['note'];
  /** Those that cannot be watched, each of which was said once. */
  #refused: readonly Address[] = [];

  constructor(verifier: Verifier, reader: EventReader, own: OwnEvents | undefined, note: Session['note']) {
    this.#verifier = verifier;
    this.#reader = reader;
    this.#own = own;
    this.#note = note;
  }

  /** Those that the service uses now, can be watched, and are not watched. @throws EventsUnavailableError, errors of the client */
  async find(chainId: number, watched: readonly Address[]): Promise<readonly Address[]> {
    const served = (await this.#own?.served()) ?? [];
    const addresses = served.map((one) => this.#verifier.parseAddress('a registry', one));
    const found: Address[] = [];
    for (const registry of without(addresses, [...watched, ...this.#refused])) {
      try {
        await checkRegistries(this.#verifier, this.#reader.of([registry]), chainId);
        found.push(registry);
      } catch (error) {
        if (!(error instanceof UsageInvalidError)) throw error;
        this.#refused = [...this.#refused, registry];
        this.#note(`the service has begun to use another registry: ${error.message}`);
      }
    }
    return found;
  }
}
