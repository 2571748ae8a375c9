import type { AttestFields, Chain } from 'imprimatur-client';
import { ChainUnservedError, InterruptedError, UsageInvalidError } from '../errors.ts';
import { contentCid } from '../files/content-cid.ts';
import { findFiles } from '../files/find-files.ts';
import { readContent } from '../files/read-content.ts';
import { readList } from '../files/read-list.ts';
import type { CommandAnswer, Session } from '../session.ts';
import { durationText } from '../text.ts';
import { ArchiveProgress } from './archive-progress.ts';
import { UnconfirmedError } from './errors.ts';
import { estimate } from './estimate.ts';
import { lockManifest } from './lock.ts';
import { Manifest, readManifest } from './manifest.ts';
import { Patience } from './patience.ts';
import { type Article, articlesOf, type Plan, planArchive } from './plan.ts';
import { checkProofPaths } from './prove.ts';
import { endingText, firstOf, type PlanView, planJson, planText } from './report.ts';
import { ArchiveRun } from './run.ts';

/** Options of an archive. */
export interface ArchiveChoice {
  readonly list?: string;
  readonly manifest: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly concurrency: number;
  readonly chain?: number;
  readonly rpc?: readonly string[];
  readonly wait?: boolean;
  readonly timeout?: number;
  readonly proof?: string | true;
  readonly linkCorrections?: true;
  readonly exactText?: true;
}

type Verifier = typeof import('imprimatur-verifier');

/** Reads texts as they are attested. What does not show in a text in the form of the profile is remembered. */
class TextReader {
  readonly #verifier: Verifier;
  readonly #isExact: boolean;
  readonly filesWithHidden = new Set<string>();

  constructor(verifier: Verifier, isExact: boolean) {
    this.#verifier = verifier;
    this.#isExact = isExact;
  }

  /** @throws UsageInvalidError */
  async read({ path, file }: Article): Promise<string> {
    if (!this.#isExact) return readContent(path, noInput);
    const { readExactContent } = await import('../files/exact-content.ts');
    const { content, hidden } = await readExactContent(this.#verifier, path, noInput);
    if (hidden.length > 0) this.filesWithHidden.add(file);
    return content;
  }
}

const noInput = { readInput: async () => new Uint8Array() };

/** @throws UsageInvalidError, ChainUnservedError */
function chainOf(served: readonly Chain[], chainId: number | undefined): Chain {
  const [first, ...others] = served;
  const chain = chainId === undefined ? first : served.find((one) => one.chainId === chainId);
  if (!chain) throw new ChainUnservedError(chainId ?? 0, served);
  if (chainId === undefined && others.length > 0) {
    const names = served.map((one) => `${one.chainId} (${one.name})`).join(', ');
    throw new UsageInvalidError(`say on which chain: --chain; the service serves ${names}`);
  }
  if (chain.delegationActive !== false) return chain;
  throw new UsageInvalidError(
    `your authority has not delegated on chain ${chain.chainId}; imprimatur delegate shows how`,
  );
}

async function findArticles(named: readonly string[], { list, manifest }: ArchiveChoice) {
  const found = named.length > 0 ? await findFiles(named, manifest) : { paths: [], otherFiles: 0 };
  const listed = list === undefined ? [] : await readList(list);
  const inList = new Set(listed.map(({ path }) => path));
  const others = found.paths.filter((path) => !inList.has(path)).map((path) => ({ path, url: undefined }));
  const articles = articlesOf([...listed, ...others], manifest);
  if (articles.length === 0)
    throw new UsageInvalidError(`${list ?? named.join(' ')}: there is no text in it`);
  return { articles, otherFiles: found.otherFiles };
}

/** Asks whether to begin. @throws UnconfirmedError */
async function agree({ ask, note }: Session, view: PlanView, isAgreed: true | undefined): Promise<void> {
  note(planText(view));
  const count = view.plan.toSend.length;
  if (count === 0 || isAgreed) return;
  if (!ask)
    throw new UnconfirmedError(
      'attesting cannot be undone: without a terminal to ask at, --yes begins, and --dry-run only tells',
      2,
    );
  const answer = await ask(
    `\nAttesting cannot be undone. Attest ${count.toLocaleString('en')} of them? [y/N] `,
  );
  if (!/^y(es)?$/i.test(answer.trim())) throw new UnconfirmedError('nothing was attested', 1);
}

/** Attests the texts of an archive, or tells what that would be. */
export async function attestArchive(
  session: Session,
  named: readonly string[],
  choice: ArchiveChoice,
  metadata: Pick<AttestFields, 'metadata'>,
): Promise<CommandAnswer> {
  const verifier = await import('imprimatur-verifier');
  const { signal, clock } = session;
  const { articles, otherFiles } = await findArticles(named, choice);
  if (choice.proof) checkProofPaths(articles);
  const askedAtMs = clock.now();
  const chain = chainOf(await session.client.chains({ signal }), choice.chain);
  const requestSeconds = (clock.now() - askedAtMs) / 1000;
  const release = choice.dryRun ? async () => {} : await lockManifest(choice.manifest);
  try {
    const { entries } = await readManifest(choice.manifest, chain);
    let readFiles = 0;
    const [total, reader] = [
      articles.length.toLocaleString('en'),
      new TextReader(verifier, !!choice.exactText),
    ];
    session.track(() => `reading ${readFiles.toLocaleString('en')} of ${total} files`);
    const plan = await planArchive({
      ...{ articles, entries },
      cidOf: (content) => contentCid(verifier, content),
      read: (article) => reader.read(article),
      onRead: (count) => {
        signal.throwIfAborted();
        readFiles = count;
      },
    });
    const view = {
      ...{ plan, otherFiles, chain, files: articles.length, manifestPath: choice.manifest },
      filesWithHidden: [...reader.filesWithHidden],
      ...{ concurrency: choice.concurrency, linkCorrections: choice.linkCorrections === true },
      estimate: await estimate(verifier, {
        ...{ client: session.client, chain, count: plan.toSend.length, requestSeconds, rpc: choice.rpc },
        ...{ concurrency: choice.concurrency, signal },
      }),
    };
    if (choice.dryRun)
      return { json: planJson(view), text: planText(view), exitCode: plan.faults.length > 0 ? 1 : 0 };
    await agree(session, view, choice.yes);
    return await attestPlanned(session, plan, choice, { chainId: chain.chainId, ...metadata }, chain);
  } finally {
    await release();
  }
}

async function attestPlanned(
  session: Session,
  plan: Plan,
  choice: ArchiveChoice,
  fields: AttestFields,
  { chainId, authorityAddress }: Chain,
): Promise<CommandAnswer> {
  const { clock } = session;
  // The first worker that cannot go on stops the others.
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const patience = new Patience(clock, signal, {
    limitSeconds: choice.timeout,
    onWait: ({ reason, seconds }) => session.note(`waiting for ${durationText(seconds)}: ${reason}`),
  });
  const manifest = await Manifest.open(choice.manifest, { chainId, authorityAddress });
  const wait = choice.wait !== false;
  const run = new ArchiveRun({
    ...{ patience, clock, signal, manifest, plan, fields, wait, timeout: choice.timeout },
    // Its patience is the run's, which all requests share.
    client: session.clientWith({ tries: 1 }),
    concurrency: choice.concurrency,
    proof: choice.proof === true,
    linkCorrections: choice.linkCorrections === true,
  });
  const progress = new ArchiveProgress(clock, patience, wait);
  const startedAtMs = clock.now();
  session.track((columns) => progress.line(run.counts, columns));
  try {
    await run.run();
  } catch (error) {
    stop.abort(error);
    if (!(error instanceof InterruptedError)) throw error;
    const { total, sent, confirmed } = run.counts;
    const [of, at, done] = [total, sent, confirmed].map((count) => count.toLocaleString('en'));
    throw new InterruptedError(
      error.exitCode,
      `stopped with ${at} of ${of} sent and ${done} confirmed; what the service has accepted goes on, and the same command goes on from here`,
    );
  } finally {
    await manifest.close();
  }
  const { counts } = run;
  const faults = [...plan.faults, ...run.faults];
  const seconds = (clock.now() - startedAtMs) / 1000;
  const isUnfinished = wait && counts.confirmed + counts.failed < counts.total;
  return {
    json: { ...counts, faults, notes: run.notes, manifest: choice.manifest, seconds },
    text: endingText({ counts, faults, manifestPath: choice.manifest, seconds }),
    notes: firstOf(run.notes),
    exitCode: faults.length > 0 ? 1 : isUnfinished ? 3 : 0,
  };
}
