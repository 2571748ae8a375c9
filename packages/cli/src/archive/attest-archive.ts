import type { AttestFields, Chain } from 'imprimatur-client';
import { CommandError, chainNames, chainNotServed, InterruptedError, UsageInvalidError } from '../errors.ts';
import { readExactContent } from '../files/exact-content.ts';
import { findFiles } from '../files/find-files.ts';
import { readContent } from '../files/read-content.ts';
import { readList } from '../files/read-list.ts';
import type { CommandResult, Session } from '../session.ts';
import { durationText } from '../text.ts';
import { makeFormatter } from './archive-progress.ts';
import { estimate } from './estimate.ts';
import { lockManifest, openManifest, readManifest } from './manifest.ts';
import { type Article, articlesOf, checkProofPaths, type Plan, planArchive } from './plan.ts';
import { grouped, type PlanView, planJson, planText, plural, shorten, summaryText } from './report.ts';
import { ArchiveRun } from './run.ts';
import { makeSharedRetry, type Waiting } from './shared-retry.ts';
import type { ArchiveOptions } from './steps.ts';

const noInput = { readInput: async () => new Uint8Array() };

function selectChain(served: readonly Chain[], chainId: number | undefined): Chain {
  const [first, ...others] = served;
  const chain = chainId === undefined ? first : served.find((candidate) => candidate.chainId === chainId);
  if (!chain) throw chainNotServed(chainId ?? 0, served);
  if (chainId === undefined && others.length > 0)
    throw new UsageInvalidError(`missing --chain; the service serves: ${chainNames(served)}`);
  if (chain.delegationActive !== false) return chain;
  throw new UsageInvalidError(
    `your authority has not delegated on chain ${chain.chainId}; run imprimatur delegate to see how`,
  );
}

async function findArticles(names: readonly string[], { list, manifest }: ArchiveOptions) {
  const found = names.length > 0 ? await findFiles(names, manifest) : { paths: [], otherFiles: 0 };
  const listed = list === undefined ? [] : await readList(list);
  const inList = new Set(listed.map(({ path }) => path));
  const others = found.paths.filter((path) => !inList.has(path)).map((path) => ({ path, url: undefined }));
  const articles = articlesOf([...listed, ...others], manifest);
  if (articles.length === 0) throw new UsageInvalidError(`${list ?? names.join(' ')}: no text found`);
  return { articles, otherFiles: found.otherFiles };
}

/** Reads the files, compares them with the manifest, and collects the files with invisible characters. */
async function makePlan(
  session: Session,
  articles: readonly Article[],
  options: ArchiveOptions,
  chain: Chain,
) {
  const { entries } = await readManifest(options.manifest, chain);
  const filesWithHidden = new Set<string>();
  let readFiles = 0;
  session.track(() => `reading ${grouped(readFiles)} of ${grouped(articles.length)} files`);
  const read = async ({ path, file }: Article) => {
    if (!options.exactText) return readContent(path, noInput);
    const { content, hidden } = await readExactContent(path, noInput);
    if (hidden.length > 0) filesWithHidden.add(file);
    return content;
  };
  const plan = await planArchive(articles, entries, read, (count) => {
    session.signal.throwIfAborted();
    readFiles = count;
  });
  return { plan, filesWithHidden: [...filesWithHidden] };
}

async function confirm({ ask, note }: Session, view: PlanView, isConfirmed: true | undefined): Promise<void> {
  note(planText(view));
  const count = view.plan.toSend.length;
  if (count === 0 || isConfirmed) return;
  if (!ask)
    throw new UsageInvalidError(
      'cannot ask for confirmation without a terminal; pass --yes, or --dry-run for an estimate',
    );
  const answer = await ask(`\nYou cannot undo an attestation. Attest ${plural(count, 'text')}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was attested');
}

export async function attestArchive(
  session: Session,
  names: readonly string[],
  options: ArchiveOptions,
  metadata: Pick<AttestFields, 'metadata'>,
): Promise<CommandResult> {
  const { signal, clock, client } = session;
  const { articles, otherFiles } = await findArticles(names, options);
  if (options.proof) checkProofPaths(articles);
  const requestedAtMs = clock.now();
  const chain = selectChain(await client.chains({ signal }), options.chain);
  const requestSeconds = (clock.now() - requestedAtMs) / 1000;
  const release = options.dryRun ? async () => {} : await lockManifest(options.manifest);
  try {
    const { plan, filesWithHidden } = await makePlan(session, articles, options, chain);
    const view = {
      ...{ plan, otherFiles, chain, files: articles.length, filesWithHidden, options },
      estimate: await estimate(session, chain, plan.toSend.length, requestSeconds, options),
    };
    if (options.dryRun)
      return { json: planJson(view), text: planText(view), exitCode: plan.faults.length > 0 ? 1 : 0 };
    await confirm(session, view, options.yes);
    return await attestPlanned(session, plan, options, { chainId: chain.chainId, ...metadata }, chain);
  } finally {
    await release();
  }
}

async function attestPlanned(
  session: Session,
  plan: Plan,
  options: ArchiveOptions,
  fields: AttestFields,
  { chainId, authorityAddress }: Chain,
): Promise<CommandResult> {
  const { clock } = session;
  // The first worker that cannot continue stops the others.
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const noteWait = ({ reason, seconds }: Waiting) =>
    session.note(`retrying in ${durationText(seconds)}: ${reason}`);
  const retry = makeSharedRetry(clock, signal, noteWait, options.timeout);
  const manifest = await openManifest(options.manifest, { chainId, authorityAddress });
  const wait = options.wait !== false;
  const run = new ArchiveRun({
    ...{ retry, clock, signal, manifest, plan, fields, options },
    // The run retries for all requests together, so the client does not retry.
    client: session.clientWith({ tries: 1 }),
  });
  const formatLine = makeFormatter(clock, retry, wait);
  const startedAtMs = clock.now();
  session.track((columns) => formatLine(run.counts, columns));
  try {
    await run.run();
  } catch (error) {
    stop.abort(error);
    if (!(error instanceof InterruptedError)) throw error;
    const { total, sent, confirmed } = run.counts;
    throw new InterruptedError(
      error.exitCode,
      `interrupted with ${grouped(sent)} of ${grouped(total)} sent and ${grouped(confirmed)} confirmed; the service continues with what it accepted; run the same command to resume`,
    );
  } finally {
    await manifest.close();
  }
  const { counts } = run;
  const faults = [...plan.faults, ...run.faults];
  const seconds = (clock.now() - startedAtMs) / 1000;
  const isUnfinished = wait && counts.confirmed + counts.failed < counts.total;
  return {
    json: { ...counts, faults, notes: run.notes, manifest: options.manifest, seconds },
    text: summaryText(counts, faults, options.manifest, seconds),
    notes: shorten(run.notes),
    exitCode: faults.length > 0 ? 1 : isUnfinished ? 3 : 0,
  };
}
