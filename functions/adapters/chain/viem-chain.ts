import type { Address } from 'viem';
import type { Chain } from '../../domain/chain.ts';
import { ChainUnreachableError } from '../../domain/errors.ts';
import type { ChainSettings } from '../../domain/settings.ts';
import { blockOf, newestBlock } from './blocks.ts';
import { canBatch, isOperator, readRegistryState } from './contracts.ts';
import { balanceOf, feeDataReader } from './fee-data.ts';
import { finalViews } from './final-view.ts';
import { isAnswer, type Providers, type RunQuery } from './providers.ts';
import { emptyTransferGas, simulate, wordGas } from './simulation.ts';
import { snapshot } from './snapshot.ts';
import { transactionByNonce } from './transaction-by-nonce.ts';
import { withTimeout } from './transport.ts';

export interface ViemChainOptions {
  readonly settings: ChainSettings;
  readonly settingsUnread?: boolean;
  readonly connect: () => Promise<Providers>;
  readonly timeoutMilliseconds: number;
  readonly onUnreachable?: () => void;
}

/** Creates a `Chain` on viem. One provider answers each query; simultaneous calls share one HTTP request. */
export function viemChain(options: ViemChainOptions): Chain {
  const { settings, settingsUnread = false } = options;
  const { confirmations } = settings;
  const reach = createReach(options);
  const runQuery: RunQuery = (query) => reach((providers) => providers.ask(query));
  const readFeeData = feeDataReader(settings);
  const finalView = finalViews(confirmations);
  const batchRegistries = new Map<Address, boolean>();
  return {
    settings,
    settingsUnread,
    registry: {
      registryState: (query) => runQuery((rpc) => readRegistryState(rpc, query, 'latest')),
    },
    head: () => runQuery(async (rpc) => blockOf(await newestBlock(rpc))),
    atFinal: (query) => runQuery(async (rpc) => query(await finalView(rpc))),
    snapshot: (query) => runQuery((rpc) => snapshot(rpc, confirmations, query)),
    feeData: (signerAddress) => runQuery((rpc) => readFeeData(rpc, signerAddress)),
    balance: (address) => runQuery((rpc) => balanceOf(rpc, address)),
    emptyTransferGas: (signerAddress) => runQuery((rpc) => emptyTransferGas(rpc, signerAddress)),
    wordGas: (signerAddress) => runQuery((rpc) => wordGas(rpc, signerAddress, settings.registryAddress)),
    simulate: (transaction, route, contents) =>
      runQuery((rpc) => simulate(rpc, readFeeData, transaction, route, contents)),
    canBatch: async (registryAddress) => {
      const known = batchRegistries.get(registryAddress);
      if (known !== undefined) return known;
      const isSupported = await runQuery((rpc) => canBatch(rpc, registryAddress));
      // A contract's code does not change.
      if (isSupported !== undefined) batchRegistries.set(registryAddress, isSupported);
      return isSupported ?? false;
    },
    transactionByNonce: (signerAddress, nonce) =>
      runQuery((rpc) => transactionByNonce(rpc, confirmations, signerAddress, nonce)),
    isOperator: (forwarderAddress, signerAddress) =>
      runQuery((rpc) => isOperator(rpc, forwarderAddress, signerAddress, 'latest')),
    send: (raw) => reach((providers) => providers.send(raw)),
  };
}

/** Limit for reading the RPC URLs. A new function reads them slowly, which takes none of the providers' time. */
const connectMilliseconds = 10_000;

/** Limits the time of an attempt. Every failure that is not an answer is a `ChainUnreachableError`. */
function createReach({ settings, connect, timeoutMilliseconds, onUnreachable }: ViemChainOptions) {
  return async <Answer>(attempt: (providers: Providers) => Promise<Answer>): Promise<Answer> => {
    try {
      const providers = await withTimeout(connectMilliseconds, connect);
      return await withTimeout(timeoutMilliseconds, () => attempt(providers));
    } catch (cause) {
      if (cause instanceof ChainUnreachableError || isAnswer(cause)) throw cause;
      onUnreachable?.();
      throw new ChainUnreachableError(settings.chainId, { cause });
    }
  };
}
