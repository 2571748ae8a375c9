import { findBlock } from '../chain/block.ts';
import { BlockView } from '../chain/block-view.ts';
import { recognizeRegistry } from '../chain/known-registries.ts';
import { ContradictionError, type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { Address } from '../hex.ts';
import { mapInBatches } from './map-in-batches.ts';
import type { EmittedLog, RunPart } from './registry-logs.ts';

const batchSize = 64;

/**
 * Finds the logs of registries with known code; other contracts emit the same events. `selectRegistryLogs` reads the
 * code at an address once, unless the contract has no code any more.
 */
export class Emitters {
  readonly #chainId: number;
  readonly #isRegistryByAddress = new Map<Address, boolean>();
  /** Keys of logs whose contracts have no code any more. */
  readonly #destroyedLogKeys = new Set<string>();

  constructor(chainId: number) {
    this.#chainId = chainId;
  }

  /** Selects the logs of registries. @throws NodeRefusalError, ProviderFaultError */
  async selectRegistryLogs(runPart: RunPart, logs: readonly EmittedLog[]): Promise<readonly EmittedLog[]> {
    const latest = new Map(logs.map((log) => [log.emitterAddress, log]));
    const unread = [...latest.values()].filter(
      (log) => !this.#isRegistryByAddress.has(log.emitterAddress) && !this.#destroyedLogKeys.has(logKey(log)),
    );
    for (let start = 0; start < unread.length; start += batchSize)
      await runPart(async (provider) => {
        const view = await BlockView.newest(provider);
        const [first, ...others] = unread.slice(start, start + batchSize);
        // The first read finds out whether the node accepts a block by its hash, so it does not run concurrently.
        if (first) await this.#readEmitter(provider, view, first);
        await mapInBatches(others, (log) => this.#readEmitter(provider, view, log));
      });
    return logs.filter(({ emitterAddress }) => this.#isRegistryByAddress.get(emitterAddress) ?? false);
  }

  /** Selects the addresses that have no registry with known code. @throws NodeRefusalError, ProviderFaultError */
  async selectUnknown(provider: Provider, addresses: readonly Address[]): Promise<readonly Address[]> {
    const view = await BlockView.newest(provider);
    const unknown: Address[] = [];
    for (const address of addresses)
      if (!recognizeRegistry(this.#chainId, address, await view.code(address))?.codeIsKnown)
        unknown.push(address);
    return unknown;
  }

  async #readEmitter(provider: Provider, view: BlockView, log: EmittedLog): Promise<void> {
    const { emitterAddress, block } = log;
    const code = recognizeRegistry(this.#chainId, emitterAddress, await view.code(emitterAddress));
    if (code) this.#isRegistryByAddress.set(emitterAddress, code.codeIsKnown);
    else {
      // A contract that destroyed itself has logs and no code, like an account that ended its EIP-7702 delegation. A
      // registry always has code.
      await checkBlockExists(provider, view, block);
      this.#destroyedLogKeys.add(logKey(log));
    }
  }
}

const logKey = ({ block, logIndex }: EmittedLog) => `${block.hash}/${logIndex}`;

/** @throws ProviderFaultError unless the view's chain contains this block */
async function checkBlockExists(provider: Provider, view: BlockView, { number, hash }: EmittedLog['block']) {
  if (view.block.number < number) throw new ProviderFaultError(`has no block ${number} yet`);
  const block = await findBlock(provider, number);
  if (block?.hash !== hash || !(await view.isCanonical()))
    throw new ContradictionError('the block of a log does not exist');
}
