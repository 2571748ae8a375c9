import { isAddressEqual } from 'viem';
import { type Block, blockAt } from '../chain/block.ts';
import { BlockView } from '../chain/block-view.ts';
import { ContradictionError, type Provider } from '../chain/provider.ts';
import { type RegistryEntry, RegistryView } from '../chain/registry-calls.ts';
import type { Address, Hex } from '../hex.ts';
import { cidOfDigest } from '../reference/content-cid.ts';
import { mapInBatches } from './map-in-batches.ts';
import type { InTime, RegistryLog } from './registry-logs.ts';

/** Something that was done in an authority's name, as a registry tells it. */
export interface AuthorityEvent {
  readonly kind: 'delegation' | 'attestation' | 'revocation' | 'link';
  readonly registryAddress: Address;
  readonly block: Block;
  readonly transaction: Hex;
  readonly logIndex: number;
  /** Of a delegation: who may act now; the zero address: nobody. */
  readonly delegateAddress?: Address;
  /** Of the others: the index of the attestation. */
  readonly attestationIndex?: number;
  /** Of the others: what is attested. */
  readonly contentCid?: string;
  /** Of a link: the content that is named as the successor; `null` for none. */
  readonly childCid?: string | null;
}

/** Logs whose events are read within one deadline, at one block: nodes forget the state of a block after some minutes. */
const batchSize = 64;

/** Reads what is asked for by the same key once. */
function remembering<Answer>() {
  const answers = new Map<string, Promise<Answer>>();
  return (key: string, read: () => Promise<Answer>): Promise<Answer> => {
    const answer = answers.get(key) ?? read();
    answers.set(key, answer);
    return answer;
  };
}

/** What several events need. Whose an attestation is, and of what, never changes. */
const newOnce = () => ({ entry: remembering<RegistryEntry | undefined>(), block: remembering<Block>() });
type Once = ReturnType<typeof newOnce>;

/** Reads what logs tell of an authority, in their order. @throws NodeRefusalError, ProviderFaultError */
export async function readEvents(
  inTime: InTime,
  logs: readonly RegistryLog[],
  authorityAddress: Address,
): Promise<AuthorityEvent[]> {
  const once = newOnce();
  const events: AuthorityEvent[] = [];
  for (let at = 0; at < logs.length; at += batchSize) {
    const batch = logs.slice(at, at + batchSize);
    const read = await inTime(async (provider) => {
      const view = await BlockView.newest(provider);
      return mapInBatches(batch, async (log) => {
        const said = await readEvent(log, view, authorityAddress, once);
        if (!said) return undefined;
        const block = await once.block(log.block.hash, () => blockOf(provider, log));
        return { ...placeOf(log), block, ...said };
      });
    });
    events.push(...read.filter((event) => event !== undefined));
  }
  return events;
}

async function blockOf(provider: Provider, { block: { number, hash } }: RegistryLog): Promise<Block> {
  const block = await blockAt(provider, number);
  if (block.hash !== hash) throw new ContradictionError('the block of an event does not exist');
  return block;
}

const placeOf = ({ registryAddress, transaction, logIndex }: RegistryLog) => ({
  registryAddress,
  transaction,
  logIndex,
});

/**
 * What an event says; `undefined` for one by another authority. An event of no attestation is a fault: another look may
 * show it. @throws ProviderFaultError
 */
async function readEvent(
  { event, registryAddress }: RegistryLog,
  view: BlockView,
  authorityAddress: Address,
  once: Once,
): Promise<Omit<AuthorityEvent, 'block' | keyof ReturnType<typeof placeOf>> | undefined> {
  const registry = new RegistryView(view, registryAddress);
  if (event.eventName === 'DelegateSet')
    return { kind: 'delegation', delegateAddress: event.args.delegateAddress };
  if (event.eventName === 'Attested') {
    const { ipfsHash } = event.args;
    const attestationIndex = await registry.indexBy(ipfsHash, authorityAddress);
    if (attestationIndex === 0) throw new ContradictionError('an event belongs to no attestation');
    return { kind: 'attestation', attestationIndex, contentCid: cidOfDigest(ipfsHash) };
  }
  const attestationIndex = Number(event.args.attestationId);
  const entry = await once.entry(`${registryAddress}/${attestationIndex}`, () =>
    registry.entry(attestationIndex),
  );
  if (!entry) throw new ContradictionError('an event belongs to no attestation');
  if (!isAddressEqual(entry.authorityAddress, authorityAddress)) return undefined;
  const said = { attestationIndex, contentCid: cidOfDigest(entry.digest) };
  if (event.eventName === 'AttestationRevoked') return { kind: 'revocation', ...said };
  const { childIpfsHash } = event.args;
  return {
    kind: 'link',
    ...said,
    childCid: BigInt(childIpfsHash) === 0n ? null : cidOfDigest(childIpfsHash),
  };
}
