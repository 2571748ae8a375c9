import { isAddressEqual } from 'viem';
import { type Block, blockAt } from '../chain/block.ts';
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
  /** Only of a delegation; zero if it was revoked. */
  readonly delegateAddress?: Address;
  /** Not of a delegation. */
  readonly attestationIndex?: number;
  readonly contentCid?: string;
  /** Only of a link: the successor; `null` for none. */
  readonly childCid?: string | null;
}

/** Logs that are read at one block; nodes keep the state of a block for only minutes. */
const batchSize = 64;

function cache<Answer>() {
  const answers = new Map<string, Promise<Answer>>();
  return (key: string, read: () => Promise<Answer>): Promise<Answer> => {
    const answer = answers.get(key) ?? read();
    answers.set(key, answer);
    return answer;
  };
}

/** Data that several events need; authority and content of an attestation never change. */
const newOnce = () => ({ entry: cache<RegistryEntry | undefined>(), block: cache<Block>() });
type Once = ReturnType<typeof newOnce>;

/** Reads the events of an authority from logs, in order. @throws NodeRefusalError, ProviderFaultError */
export async function readEvents(runPart: RunPart, logs: readonly RegistryLog[], authorityAddress: Address) {
  const once = newOnce();
  const events: AuthorityEvent[] = [];
  for (let at = 0; at < logs.length; at += batchSize) {
    const batch = logs.slice(at, at + batchSize);
    const read = await runPart(async (provider) => {
      const view = await BlockView.newest(provider);
      return mapInBatches(batch, async (log) => {
        const event = await readEvent(log, view, authorityAddress, once);
        if (!event) return undefined;
        const block = await once.block(log.block.hash, () => blockOf(provider, log));
        return { ...placeOf(log), block, ...event };
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

/** Reads an event; `undefined` for another authority's. @throws ProviderFaultError if its attestation is missing */
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
  const attestation = { attestationIndex, contentCid: cidOfDigest(entry.digest) };
  if (event.eventName === 'AttestationRevoked') return { kind: 'revocation', ...attestation };
  const { childIpfsHash } = event.args;
  return {
    kind: 'link',
    ...attestation,
    childCid: BigInt(childIpfsHash) === 0n ? null : cidOfDigest(childIpfsHash),
  };
}
