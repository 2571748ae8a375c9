import { RequestInvalidError } from '../errors.ts';
import type { Caller } from '../organization/api-keys.ts';
import type { ChainSettings } from '../settings.ts';

/** Test networks of local nodes, Ethereum, OP Mainnet, Base and Arbitrum. */
const testChainIds = [1337, 31337, 11155111, 560048, 11155420, 84532, 421614];

type ChosenChain = Pick<ChainSettings, 'chainId'> & Partial<Pick<ChainSettings, 'testnet'>>;

/** Whether the chain is a test chain, by the settings or as a known test network. */
export function isTestChain({ chainId, testnet }: ChosenChain): boolean {
  return testnet ?? testChainIds.includes(chainId);
}

/** @param field the field of the request that chose the chain @throws RequestInvalidError */
export function refuseLiveChain({ mode }: Pick<Caller, 'mode'>, chain: ChosenChain, field: string): void {
  if (mode !== 'test' || isTestChain(chain)) return;
  const message = `chain ${chain.chainId} is not a test chain, and this key is for test chains: use a live key`;
  throw new RequestInvalidError([{ path: [field], message }]);
}
