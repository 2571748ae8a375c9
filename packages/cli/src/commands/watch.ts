import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { ApiKeyInvalidError, ImprimaturError } from 'imprimatur-client';
import { fieldList } from 'imprimatur-terminal/text';
import { type AuthorityEvent, EventsUnavailableError, isoTime } from 'imprimatur-verifier';
import { collect, parseChainId, parseCount, parseSeconds } from '../arguments.ts';
import { InterruptedError } from '../errors.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';
import { openWatch, type WatchChoice } from '../watching/open-watch.ts';
import type { Doer, ToldEvent } from '../watching/told-events.ts';
import type { Watch } from '../watching/watch.ts';

interface Choice extends WatchChoice {
  readonly once?: true;
  readonly interval: number;
  readonly json?: true;
}

const explanation = `
Reads the events of every registry whose code is known, whoever deployed it, and tells each delegation, attestation,
revocation and link in the authority's name that the service did not make for you. The public registry (0x0000…D381 on
Ethereum, Base, Arbitrum One and Sepolia) documents no events: what is done there is NOT watched, as the last line says.

With IMPRIMATUR_URL and IMPRIMATUR_API_KEY it knows the chain and what the service did, but for links that the service
has replaced since, which are told as "seen"; without them everything is. What is in a block that is not final is told
as such, and once more if a reorganisation undoes it. With --json an event is an object in a line; the last is the end.

A provider that hides an event hides it from you: name your own with --rpc, several for the case that one fails.

Exit codes: 0 nothing was told (--once), 4 something was, 130 stopped with Ctrl-C and nothing was told, 1 the chain or
the service cannot be asked (--once), 2 wrong usage.`;

export function watch(program: Command, act: Act): void {
  program
    .command('watch')
    .description("Watch what is done on the chain in your authority's name.")
    .requiredOption('--authority <address>', 'the authority')
    .option('--chain <id>', 'the chain (default: the only one that the service serves)', parseChainId)
    .option('--registry <address>', 'read this registry only; may be given several times', collect)
    .option('--rpc <url>', 'an RPC provider to ask; further ones are asked where it fails', collect)
    .option('--since <block|time>', 'where to begin (default: now)')
    .option('--cursor <file>', 'keep the place in a file, and go on from there the next time')
    .option('--once', 'look once, and end')
    .option('--interval <seconds>', 'time between looks', parseSeconds, 12)
    .option(
      '--final-depth <blocks>',
      'depth at which a block is final, where the provider does not say',
      parseCount,
      64,
    )
    .addHelpText('after', explanation)
    .action((_, command: Command) => act((session) => run(session, command.optsWithGlobals<Choice>())));
}

function mayPass(error: unknown): error is Error {
  if (error instanceof ApiKeyInvalidError) return false;
  return error instanceof EventsUnavailableError || error instanceof ImprimaturError;
}

async function run(session: Session, choice: Choice): Promise<CommandAnswer> {
  try {
    return await watchChain(session, choice);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    throw new InterruptedError(error.exitCode, 'stopped; the next watch goes on from the cursor');
  }
}

async function watchChain(session: Session, choice: Choice): Promise<CommandAnswer> {
  const watch = await openWatch(session, choice, (told, doer) => {
    const json = `${JSON.stringify(eventJson(told, doer))}\n`;
    session.write(choice.json ? json : `${eventText(told, doer)}\n`);
  });
  const { chainId, registries } = watch.parts.subject;
  const places = registries ? `${registries.join(', ')} only` : 'every registry';
  session.note(`watching ${places} on chain ${chainId} from block ${watch.cursor.block.number + 1} on`);
  if (choice.once) await lookOnce(session, watch);
  else await lookOn(session, watch, choice.interval);
  return answerOf(session, watch);
}

function answerOf({ signal: { aborted, reason }, note }: Session, watch: Watch): CommandAnswer {
  const {
    unwatched,
    told: { count: told, undecided },
  } = watch.parts;
  const watchedTo = watch.cursor.block.number;
  if (undecided.length > 0)
    note(`${undecided.length} more may be the service's own; the next watch with the same --cursor tells`);
  const ended = aborted && reason instanceof InterruptedError ? reason.exitCode : 0;
  return {
    json: { watchedTo, told, ...(unwatched ? { notWatched: [unwatched] } : {}) },
    text: [
      `${told === 0 ? 'nothing was told' : `${told} told`}; all is read up to the final block ${watchedTo}`,
      ...(unwatched ? [`not watched: the public registry, ${unwatched}`] : []),
    ].join('\n'),
    exitCode: told > 0 ? 4 : ended,
  };
}

/** Looks once. What was told is the answer, also where the chain or the service failed then, which is noted. */
async function lookOnce({ note, signal }: Session, watch: Watch) {
  try {
    await watch.look();
  } catch (error) {
    if (signal.aborted || watch.parts.told.count === 0 || !mayPass(error)) throw error;
    note(error.message);
  }
}

async function lookOn({ signal, note }: Session, watch: Watch, seconds: number) {
  note(`looking every ${seconds} s; Ctrl-C ends`);
  while (!signal.aborted) {
    try {
      await watch.look();
    } catch (error) {
      if (signal.aborted) return;
      if (!mayPass(error)) throw error;
      note(`${error.message}; trying again in ${seconds} s`);
    }
    await sleep(seconds * 1000, undefined, { signal }).catch(() => {});
  }
}

const doerWords = { other: 'not by the service', unknown: 'seen' } as const;
const stateWords = { final: 'final', notFinal: 'not final yet', undone: 'not there any more' } as const;

function what({ kind, attestationIndex, delegateAddress }: AuthorityEvent): string {
  if (kind === 'delegation')
    return BigInt(delegateAddress ?? 0) === 0n ? 'the delegation is revoked' : 'a delegation';
  const named = { attestation: 'is made', revocation: 'is revoked', link: 'is linked' }[kind];
  return `attestation ${attestationIndex} ${named}`;
}

/** Formats an event for a person: what was done and when, and where it is. */
function eventText({ event, state }: ToldEvent, doer: Doer): string {
  const { block, transaction, registryAddress, delegateAddress, contentCid, childCid } = event;
  const who = state === 'undone' ? 'undone by a reorganisation' : doerWords[doer];
  const fields = {
    ...(delegateAddress && BigInt(delegateAddress) !== 0n ? { to: delegateAddress } : {}),
    ...(contentCid ? { content: contentCid } : {}),
    ...(childCid === undefined ? {} : { successor: childCid ?? 'none' }),
    registry: registryAddress,
    block: `${block.number}, ${stateWords[state]}`,
    transaction,
  };
  return `${isoTime(block.timestamp)}  ${who}: ${what(event)}\n${fieldList(fields).replaceAll(/^/gm, '  ')}\n`;
}

/** The event for scripts: one object in a line. */
function eventJson({ event, state }: ToldEvent, doer: Doer): object {
  const { block, ...fields } = event;
  return { ...{ by: doer, state, time: isoTime(block.timestamp), block: block.number }, ...fields };
}
