import { text } from 'node:stream/consumers';
import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  L1Hardfork,
  l1GenesisState,
  l1HardforkToString,
  l1ProviderFactory,
  MineOrdering,
  type Provider,
  type ProviderConfig,
} from '@nomicfoundation/edr';
import { create2ProxyAddress } from 'imprimatur-contracts/deploy/deployment';
import { parseEther, toBytes } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import type { Anvil } from './anvil.ts';
import { startLoopbackServer } from './loopback-server.ts';
import type { RpcCall, RpcError } from './rpc-call.ts';

const blockGasLimit = 60_000_000n;

const mnemonic = 'test test test test test test test test test test test junk';

const fundedAccounts = Array.from({ length: 10 }, (_, addressIndex) => ({
  address: toBytes(mnemonicToAccount(mnemonic, { addressIndex }).address),
  balance: parseEther('10000'),
}));

/** The CREATE2 proxy. The signed transaction that deploys it on other chains has too little gas under these rules. */
const create2Proxy = {
  address: toBytes(create2ProxyAddress),
  nonce: 1n,
  code: toBytes(
    '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
  ),
};

function configuration(): ProviderConfig {
  const hardfork = L1Hardfork.Amsterdam;
  return {
    hardfork: l1HardforkToString(hardfork),
    chainId: 31337n,
    networkId: 31337n,
    genesisState: [...l1GenesisState(hardfork), ...fundedAccounts, create2Proxy],
    ownedAccounts: [],
    network: { genesisBlockGasLimit: blockGasLimit },
    mining: { autoMine: true, blockGasLimit, memPool: { order: MineOrdering.Priority } },
    defaultTransactionGasLimit: blockGasLimit,
    // Under these rules, EIP-7825 limits only the gas that does not pay for state. EDR would limit all gas.
    transactionGasCap: false,
    minGasPrice: 0n,
    coinbase: new Uint8Array(20),
    allowBlocksWithSameTimestamp: false,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    bailOnTransactionFailure: false,
    observability: {},
    precompileOverrides: [],
  };
}

async function openContext(): Promise<EdrContext> {
  const opened = new EdrContext();
  await opened.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return opened;
}

/** EDR allows a process only one context. */
let context: Promise<EdrContext> | undefined;

async function startNode(): Promise<Provider> {
  context ??= openContext();
  const logger = {
    enable: false,
    decodeConsoleLogInputsCallback: () => [],
    printLineCallback: () => undefined,
  };
  const subscriptions = { subscriptionCallback: () => undefined };
  const edr = await context;
  return edr.createProvider(L1_CHAIN_TYPE, configuration(), logger, subscriptions, new ContractDecoder());
}

interface EdrAnswer {
  readonly result?: unknown;
  readonly error?: RpcError & { readonly data?: { readonly data?: string } };
}

/** Converts a revert to the form of other nodes: with code 3 and the contract's revert data. */
function withStandardRevert({ error, ...rest }: EdrAnswer): object {
  const data = error?.data?.data;
  return data === undefined ? { ...rest, error } : { error: { code: 3, message: error?.message, data } };
}

/** Calls the node, which always requires parameters, and adds the JSON-RPC envelope to its answer. */
async function answer(node: Provider, call: RpcCall): Promise<object> {
  const { data } = await node.handleRequest(JSON.stringify({ params: [], ...call }));
  const edrAnswer: EdrAnswer = typeof data === 'string' ? JSON.parse(data) : data;
  return { jsonrpc: '2.0', id: call.id, ...withStandardRevert(edrAnswer) };
}

/**
 * Starts a chain with the rules of Amsterdam, under which state is expensive (EIP-8037): Hardhat's EVM in this process,
 * with anvil's accounts, chain ID and CREATE2 proxy. It mines each transaction at once, in its own block.
 */
export async function startAmsterdam(): Promise<Anvil> {
  const node = await startNode();
  const { url, close } = await startLoopbackServer(async (request, response) => {
    const body: RpcCall | RpcCall[] = JSON.parse(await text(request));
    const answers = Array.isArray(body)
      ? await Promise.all(body.map((call) => answer(node, call)))
      : await answer(node, body);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers));
  });
  return { url, stop: close };
}
