import type { Chain } from 'imprimatur-client';
import { gasForBatch } from 'imprimatur-terminal/measured-gas';
import { isPublicRegistry, knownChains, parseAddress, postJsonRpc } from 'imprimatur-verifier';
import type { Session } from '../session.ts';
import type { ArchiveOptions } from './steps.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Estimated cost and time. `null` means unknown. */
export type Estimate = Awaited<ReturnType<typeof estimate>>;

/** The public registry has no batches, so it takes one attestation per call: docs/contracts.md. */
const publicGas: Range = { from: 145_000, to: 260_000 };

/** The lower bound assumes full transactions; the upper bound, at most 8 attestations in each. */
const gasOfBatches = (count: number): Range => ({
  from: gasForBatch(count),
  to: gasForBatch(Math.min(8, count / 6)),
});

const multiply = ({ from, to }: Range, factor: number): Range => ({ from: from * factor, to: to * factor });

const weiPerGwei = 1e9;
const gweiPerCoin = 1e9;

/** Reads the gas price from the first provider that serves the chain; `null` if there is none. */
async function gasPriceOf(chainId: number, providers: readonly string[]): Promise<number | null> {
  for (const url of providers) {
    try {
      const answeredChainId = await postJsonRpc(url, { method: 'eth_chainId', params: [] });
      if (Number(answeredChainId) !== chainId) continue;
      const price = Number(await postJsonRpc(url, { method: 'eth_gasPrice', params: [] }));
      if (Number.isFinite(price)) return price / weiPerGwei;
    } catch {
      // Try the next one. Do not log the error, whose text may contain the URL and therefore a key.
    }
  }
  return null;
}

/** Seconds from acceptance to the block with the reveal, for the newest confirmed attestation on the chain. */
async function lastRevealSeconds({ client, signal }: Session, chain: Chain): Promise<number | null> {
  const { attestations } = await client.list({ limit: 50, signal });
  const last = attestations.find((one) => one.chainId === chain.chainId && one.confirmedAt !== undefined);
  const seconds = last ? (Date.parse(last.confirmedAt ?? '') - Date.parse(last.createdAt)) / 1000 : 0;
  return seconds > 0 ? seconds : null;
}

export async function estimate(
  session: Session,
  chain: Chain,
  count: number,
  requestSeconds: number,
  { rpc, concurrency }: Pick<ArchiveOptions, 'rpc' | 'concurrency'>,
) {
  const known = knownChains[chain.chainId];
  const [gasPriceGwei, secondsToReveal] = await Promise.all([
    gasPriceOf(chain.chainId, rpc ?? known?.providers ?? []),
    lastRevealSeconds(session, chain),
  ]);
  const isPublic = isPublicRegistry(chain.chainId, parseAddress('registry', chain.registryAddress));
  const gasEach = isPublic ? publicGas : gasOfBatches(count);
  const gas = multiply(gasEach, count);
  return {
    ...{ gasEach, gas, gasPriceGwei, secondsToReveal },
    cost: gasPriceGwei === null ? null : multiply(gas, gasPriceGwei / gweiPerCoin),
    // All known chains use ETH.
    coin: known ? 'ETH' : null,
    secondsToSend: (count * requestSeconds) / concurrency,
  };
}
