import { type Hex, withRetry } from 'viem';
import { CallRevertedError, TransactionRefusedError } from '../../domain/errors.ts';
import { connectRpc, hash, type Rpc } from './rpc.ts';
import { isAlreadyKnown, isTooCostly, isUnreached, providerErrorText } from './rpc-errors.ts';
import { providerTransport, type RpcLimits, type ServedChain, withTimeout } from './transport.ts';

/** Calls that one provider answers. If one call fails, all run again on the next provider. A revert is an answer. */
export type Query<Answer> = (rpc: Rpc) => Promise<Answer>;

export type RunQuery = <Answer>(query: Query<Answer>) => Promise<Answer>;

export interface Providers {
  /** Asks the providers in order. Throws ProvidersFailedError, or CallRevertedError when one answers with a revert. */
  readonly ask: RunQuery;
  /**
   * Sends to all providers, and resolves after one accepts. Throws TransactionRefusedError when one rejects the cost
   * and no other one can have accepted the transaction.
   */
  send(raw: Hex): Promise<void>;
}

/** All providers failed; contains each one's cause, but no URL, because URLs contain keys. */
export class ProvidersFailedError extends Error {
  override readonly name = 'ProvidersFailedError';
  constructor(failures: readonly unknown[]) {
    super(`no provider answers: ${textOf(failures)}`);
  }
}

const textOf = (failures: readonly unknown[]) => failures.map(providerErrorText).join('; ');

/** Delay before the second round; twice as long before each further one. */
const retryDelayMilliseconds = 150;

/** Connects to the providers of a chain. Each gets an equal share of a round's time. */
export function connectProviders(
  urls: readonly string[],
  chain: ServedChain,
  limits: Pick<RpcLimits, 'roundTimeoutMilliseconds' | 'retries'>,
  now: () => number = Date.now,
): Providers {
  const share = Math.floor(limits.roundTimeoutMilliseconds / urls.length);
  const rpcs = urls.map((url) => connectRpc(providerTransport(url, chain, share)));
  const runRound = createRound(rpcs, share, now);
  const retry = <Answer>(round: () => Promise<Answer>) =>
    withRetry(round, {
      retryCount: limits.retries,
      delay: ({ count }) => retryDelayMilliseconds * 2 ** count,
      shouldRetry: ({ error }) => !isAnswer(error),
    });
  return {
    ask: (query) => retry(() => runRound(query)),
    send: (raw) => {
      const failures: unknown[] = [];
      return retry(() => sendToAll(rpcs, raw, failures));
    },
  };
}

/** Whether an error is a provider's answer, which a retry would not change. */
export function isAnswer(error: unknown): error is CallRevertedError | TransactionRefusedError {
  return error instanceof CallRevertedError || error instanceof TransactionRefusedError;
}

/** Time for which one provider gets queries first: a provider without new blocks must not hold up a chain. */
const preferenceMilliseconds = 60_000;

/** Asks the providers in order, starting with the last that answered, or each minute with the next. */
function createRound(rpcs: readonly Rpc[], shareMilliseconds: number, now: () => number): RunQuery {
  let first = 0;
  let preferredSince = now();
  const prefer = (position: number) => {
    if (position !== first) preferredSince = now();
    first = position;
  };
  return async (query) => {
    if (now() - preferredSince >= preferenceMilliseconds) prefer((first + 1) % rpcs.length);
    const failures: unknown[] = [];
    for (const position of startingAt(rpcs.length, first)) {
      try {
        const answer = await withTimeout(shareMilliseconds, () => query(rpcs[position] as Rpc));
        prefer(position);
        return answer;
      } catch (error) {
        if (error instanceof CallRevertedError) {
          prefer(position);
          throw error;
        }
        failures.push(error);
      }
    }
    throw new ProvidersFailedError(failures);
  };
}

function startingAt(count: number, first: number): number[] {
  const positions = Array.from({ length: count }, (_, position) => position);
  return [first, ...positions.filter((position) => position !== first)];
}

/** Time that slower providers get after the first has accepted. Later, Lambda may freeze the function. */
const stragglerMilliseconds = 500;

/** Sends to all providers. Adds to the `failures` of earlier rounds, because a provider may have accepted `raw` then. */
async function sendToAll(rpcs: readonly Rpc[], raw: Hex, failures: unknown[]): Promise<void> {
  const sends = rpcs.map((rpc) => sendTo(rpc, raw));
  const settled = Promise.allSettled(sends);
  try {
    await Promise.any(sends);
  } catch (error) {
    const latest: unknown[] = error instanceof AggregateError ? error.errors : [error];
    failures.push(...latest);
    if (!isRefusal(failures)) throw new ProvidersFailedError(latest);
    throw new TransactionRefusedError(`no provider accepts it: ${textOf(latest)}`);
  }
  await withTimeout(stragglerMilliseconds, () => settled).catch(() => undefined);
}

/** Whether a provider refused a transaction for its cost, and no other one can have accepted it. */
function isRefusal(failures: readonly unknown[]): boolean {
  return failures.some(isTooCostly) && failures.every((each) => isTooCostly(each) || isUnreached(each));
}

async function sendTo(rpc: Rpc, raw: Hex): Promise<void> {
  try {
    await rpc('eth_sendRawTransaction', [raw], hash);
  } catch (error) {
    if (!isAlreadyKnown(error)) throw error;
  }
}
