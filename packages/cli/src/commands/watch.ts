import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { ApiKeyInvalidError, ImprimaturError } from 'imprimatur-client';
import { helpText } from 'imprimatur-terminal/help';
import { fieldList } from 'imprimatur-terminal/text';
import { type AuthorityEvent, EventsUnavailableError, isoTime } from 'imprimatur-verifier';
import { collect, parseChainId, parseCount, parseSeconds } from '../arguments.ts';
import { InterruptedError } from '../errors.ts';
import { commonExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';
import { openWatch, type WatchOptions } from '../watching/open-watch.ts';
import type { Actor, ReportedEvent } from '../watching/reported-events.ts';
import type { Watch } from '../watching/watch.ts';

interface WatchCommandOptions extends WatchOptions {
  readonly once?: true;
  readonly interval: number;
  readonly json?: true;
}

const help = helpText({
  notes: `Reports delegations, attestations, revocations and links in the authority's name
that the service did not make for you, in every known registry. The public
registry (0x0000…D381) documents no events and is not watched.

Without IMPRIMATUR_URL and IMPRIMATUR_API_KEY, everything is reported. Events in
blocks that are not final are marked, and reported again if a reorg removes
them. With --json, each event is one line; the last line is a summary.

A provider can hide events: use your own node. Further --rpc are fallbacks.`,
  examples: [
    'imprimatur watch --authority 0x… --chain 8453 --rpc https://…',
    'imprimatur watch --authority 0x… --once --cursor watch.json',
  ],
  exitCodes: {
    ...commonExitCodes,
    0: 'nothing reported (--once)',
    1: 'failed; for example, the chain or the service cannot be reached',
    4: 'something was reported',
    130: 'interrupted before anything was reported, or during --once',
  },
});

export function watch(program: Command, run: RunCommand): void {
  program
    .command('watch')
    .description("Report actions in your authority's name that the service did not take.")
    .requiredOption('--authority <address>', 'address of the authority')
    .option('--chain <id>', 'chain (default: the only one that the service serves)', parseChainId)
    .option('--registry <address>', 'only this registry; repeatable', collect)
    .option('--rpc <url>', 'RPC provider; repeatable, further ones are fallbacks', collect)
    .option('--since <block|time>', 'start (default: now)')
    .option('--cursor <file>', 'file that stores the position, to resume from it')
    .option('--once', 'check once and exit')
    .option('--interval <seconds>', 'time between checks', parseSeconds, 12)
    .option(
      '--final-depth <blocks>',
      'depth of final blocks if the provider does not report them',
      parseCount,
      64,
    )
    .addHelpText('after', help)
    .action((_, command: Command) =>
      run((session) => runWatch(session, command.optsWithGlobals<WatchCommandOptions>())),
    );
}

function isTemporary(error: unknown): error is Error {
  if (error instanceof ApiKeyInvalidError) return false;
  return error instanceof EventsUnavailableError || error instanceof ImprimaturError;
}

async function runWatch(session: Session, options: WatchCommandOptions): Promise<CommandResult> {
  try {
    return await watchChain(session, options);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    throw new InterruptedError(error.exitCode, 'interrupted; with the same --cursor, the next watch resumes');
  }
}

async function watchChain(session: Session, options: WatchCommandOptions): Promise<CommandResult> {
  const watch = await openWatch(session, options, (reported, actor) => {
    const json = `${JSON.stringify(eventJson(reported, actor))}\n`;
    session.write(options.json ? json : `${eventText(reported, actor)}\n`);
  });
  const { chainId, registries } = watch.parts.target;
  const registriesText = registries ? `${registries.join(', ')} only` : 'every registry';
  session.note(`watching ${registriesText} on chain ${chainId} from block ${watch.cursor.block.number + 1}`);
  if (options.once) await checkOnce(session, watch);
  else await checkRepeatedly(session, watch, options.interval);
  return resultOf(session, watch);
}

function resultOf({ signal: { aborted, reason }, note }: Session, watch: Watch): CommandResult {
  const {
    unwatched,
    reporter: { count: reported, undecided },
  } = watch.parts;
  const watchedTo = watch.cursor.block.number;
  if (undecided.length > 0)
    note(
      `events that may be the service's own: ${undecided.length}; a later watch with the same --cursor decides`,
    );
  const interruptedCode = aborted && reason instanceof InterruptedError ? reason.exitCode : 0;
  return {
    json: { watchedTo, reported, ...(unwatched ? { notWatched: [unwatched] } : {}) },
    text: [
      `${reported === 0 ? 'nothing' : reported} reported, up to the final block ${watchedTo}`,
      ...(unwatched ? [`not watched: the public registry ${unwatched}`] : []),
    ].join('\n'),
    exitCode: reported > 0 ? 4 : interruptedCode,
  };
}

/** Checks once. If events were reported before a failure, the failure becomes a note, and the events are the result. */
async function checkOnce({ note, signal }: Session, watch: Watch) {
  try {
    await watch.check();
  } catch (error) {
    if (signal.aborted || watch.parts.reporter.count === 0 || !isTemporary(error)) throw error;
    note(error.message);
  }
}

async function checkRepeatedly({ signal, note }: Session, watch: Watch, seconds: number) {
  note(`checking every ${seconds} s; press Ctrl-C to stop`);
  while (!signal.aborted) {
    try {
      await watch.check();
    } catch (error) {
      if (signal.aborted) return;
      if (!isTemporary(error)) throw error;
      note(`${error.message}; retrying in ${seconds} s`);
    }
    await sleep(seconds * 1000, undefined, { signal }).catch(() => {});
  }
}

const actorTexts = { other: 'not by the service', unknown: 'seen' } as const;
const stateTexts = { final: 'final', notFinal: 'not final yet', undone: 'removed by a reorg' } as const;

function describe({ kind, attestationIndex, delegateAddress }: AuthorityEvent): string {
  if (kind === 'delegation') return BigInt(delegateAddress ?? 0) === 0n ? 'delegation revoked' : 'delegation';
  const verb = { attestation: 'created', revocation: 'revoked', link: 'linked' }[kind];
  return `attestation ${attestationIndex} ${verb}`;
}

function eventText({ event, state }: ReportedEvent, actor: Actor): string {
  const { block, transaction, registryAddress, delegateAddress, contentCid, childCid } = event;
  const actorText = state === 'undone' ? 'removed by a reorg' : actorTexts[actor];
  const fields = {
    ...(delegateAddress && BigInt(delegateAddress) !== 0n ? { to: delegateAddress } : {}),
    ...(contentCid ? { content: contentCid } : {}),
    ...(childCid === undefined ? {} : { successor: childCid ?? 'none' }),
    registry: registryAddress,
    block: `${block.number}, ${stateTexts[state]}`,
    transaction,
  };
  return `${isoTime(block.timestamp)}  ${actorText}: ${describe(event)}\n${fieldList(fields).replaceAll(/^/gm, '  ')}\n`;
}

function eventJson({ event, state }: ReportedEvent, actor: Actor): object {
  const { block, ...fields } = event;
  return { ...{ by: actor, state, time: isoTime(block.timestamp), block: block.number }, ...fields };
}
