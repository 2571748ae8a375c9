import { isAddressEqual } from 'viem';
import { type Block, readBlock } from '../chain/block.ts';
import { BlockView } from '../chain/block-view.ts';
import { ContradictionError, type Provider } from '../chain/provider.ts';
import { type RegistryEntry, RegistryView } from '../chain/registry-calls.ts';
import type { Address, Hex } from '../hex.ts';
import { cidOfDigest } from '../reference/content-cid.ts';
import { mapInBatches } from './map-in-batches.ts';
import type { RegistryLog, RunPart } from './registry-logs.ts';

/** An event of a registry that concerns an authority. */
export interface AuthorityEvent {
  readonly kind: 'delegation' | 'attestation' | 'revocation' | 'link';
  readonly registryAddress: Address;
  readonly block: Block;
  readonly transaction: Hex;
  readonly logIndex: number;
  /** Only for a delegation: the delegate, or the zero address if the delegation was revoked. */
  readonly delegateAddress?: Address;
  /** Missing for a delegation. */
  readonly attestationIndex?: number;
  readonly contentCid?: string;
  /** Only for a link: the successor, or `null`. */
  readonly childCid?: string | null;
}

/** Number of logs whose attestations are read at one block. Nodes keep the state of a block for only minutes. */
const batchSize = 64;

function cache<Answer>() {
  const answers = new Map<string, Promise<Answer>>();
  return (key: string, read: () => Promise<Answer>): Promise<Answer> => {
    const answer = answers.get(key) ?? read();
    answers.set(key, answer);
    return answer;
  };
}

/** Caches data that several events need. The authority and the content of an attestation never change. */
const newCaches = () => ({ entry: cache<RegistryEntry | undefined>(), block: cache<Block>() });
type Caches = ReturnType<typeof newCaches>;

/** Reads the events of an authority from logs, in order. @throws NodeRefusalError, ProviderFaultError */
export async function readEvents(runPart: RunPart, logs: readonly RegistryLog[], authorityAddress: Address) {
  const caches = newCaches();
  const events: AuthorityEvent[] = [];
  for (let start = 0; start < logs.length; start += batchSize) {
    const batch = logs.slice(start, start + batchSize);
    const batchEvents = await runPart(async (provider) => {
      const view = await BlockView.newest(provider);
      return mapInBatches(batch, async (log) => {
        const event = await readEvent(log, view, authorityAddress, caches);
        if (!event) return undefined;
        const block = await caches.block(log.block.hash, () => blockOf(provider, log));
        return { ...positionOf(log), block, ...event };
      });
    });
    events.push(...batchEvents.filter((event) => event !== undefined));
  }
  return events;
}

async function blockOf(provider: Provider, { block: { number, hash } }: RegistryLog): Promise<Block> {
  const block = await readBlock(provider, number);
  if (block.hash !== hash) throw new ContradictionError('the block of an event does not exist');
  return block;
}

const positionOf = ({ registryAddress, transaction, logIndex }: RegistryLog) => ({
  registryAddress,
  transaction,
  logIndex,
});

/** Reads an event; `undefined` if it concerns another authority. @throws ProviderFaultError if its attestation is missing */
async function readEvent(
  { event, registryAddress }: RegistryLog,
  view: BlockView,
  authorityAddress: Address,
  caches: Caches,
): Promise<Omit<AuthorityEvent, 'block' | keyof ReturnType<typeof positionOf>> | undefined> {
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
  const entry = await caches.entry(`${registryAddress}/${attestationIndex}`, () =>
    registry.entry(attestationIndex),
  );
  if (!entry) throw new ContradictionError('an event belongs to no attestation');
  if (!isAddressEqual(entry.authorityAddress, authorityAddress)) return undefined;
  const attestation = { attestationIndex, contentCid: cidOfDigest(entry.digest) };
  if (event.eventName === 'AttestationRevoked') return { kind: 'revocation', ...attestation };
  const { childIpfsHash } = event.args;
  return {
    kind: 'link',
    ...attestation,
    childCid: BigInt(childIpfsHash) === 0n ? null : cidOfDigest(childIpfsHash),
  };
}
