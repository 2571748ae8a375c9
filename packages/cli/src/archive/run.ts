import {
  type Attestation,
  ContentRevokedError,
  RequestInvalidError,
  RequestTooLargeError,
  ServiceUnavailableError,
} from 'imprimatur-client';
import { ignoredNotes } from '../attest-content.ts';
import { UsageInvalidError } from '../errors.ts';
import { contentCid } from '../files/read-content.ts';
import type { ManifestEntry } from './manifest.ts';
import type { Article, Fault, PlannedText } from './plan.ts';
import { entryOf, linkCorrections, proveTexts, type RunContext, readAttestations, runAll } from './steps.ts';

export interface Counts {
  readonly total: number;
  /** Accepted or refused, in this run or an earlier one. */
  readonly sent: number;
  readonly confirmed: number;
  readonly failed: number;
}

const pollSeconds = 5;

/** Errors that concern one text. Any other error would affect the next text, too. */
const errorsOfOneText = [
  ...[UsageInvalidError, RequestInvalidError, RequestTooLargeError],
  ...[ContentRevokedError, ServiceUnavailableError],
];

/** Attests an archive: sends texts, follows them until they are confirmed, writes proofs, and links corrections. */
export class ArchiveRun {
  readonly #context: RunContext;
  readonly #inProgress = new Map<string, PlannedText>();
  readonly #counts = { total: 0, sent: 0, confirmed: 0, failed: 0 };
  #sentAtMs: number | undefined;
  readonly faults: Fault[] = [];
  readonly notes: string[] = [];

  constructor(context: RunContext) {
    this.#context = context;
    this.#counts.total = context.plan.texts.length;
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** @throws errors that affect all requests: an invalid key, an unwritable manifest, the signal's reason */
  async run(): Promise<void> {
    const { plan, options, clock } = this.#context;
    await this.#takeOver();
    const send = async () => {
      await runAll(plan.toSend, options.concurrency, (text) => this.#send(text));
      this.#sentAtMs = clock.now();
    };
    const sending = send();
    await Promise.all([sending, this.#pollUntilSettled(sending)]);
    if (!options.linkCorrections) return;
    const { faults, notes } = await linkCorrections(this.#context);
    this.faults.push(...faults);
    this.notes.push(...notes);
  }

  /** Takes over texts that are attested or in progress according to the manifest. */
  async #takeOver(): Promise<void> {
    const { manifest, plan } = this.#context;
    const byContent = new Map<string, ManifestEntry>();
    for (const entry of manifest.entries.values())
      if (entry.status !== 'failed') byContent.set(entry.contentCid, entry);
    const entries: ManifestEntry[] = [];
    const confirmed: PlannedText[] = [];
    for (const text of plan.texts) {
      const entry = byContent.get(text.contentCid);
      if (!entry) continue;
      const others = text.articles.filter(({ file }) => manifest.entries.get(file)?.id !== entry.id);
      entries.push(...others.map((article) => entryOf(manifest, article, entry)));
      this.#counts.sent += 1;
      if (entry.status === 'confirmed') confirmed.push(text);
      else this.#inProgress.set(entry.id, text);
    }
    await manifest.put(entries);
    await this.#recordConfirmed(confirmed);
  }

  async #send(text: PlannedText): Promise<void> {
    let isConfirmed = false;
    try {
      isConfirmed = await this.#submit(text);
    } catch (error) {
      if (!(error instanceof Error && errorsOfOneText.some((type) => error instanceof type))) throw error;
      this.#recordFailure(text, error.message);
    }
    this.#counts.sent += 1;
    if (isConfirmed) await this.#recordConfirmed([text]);
  }

  /** @returns whether the attestation is already confirmed. @throws `errorsOfOneText`, and errors that affect all texts */
  async #submit(text: PlannedText): Promise<boolean> {
    const { client, retry, signal, manifest, plan, fields } = this.#context;
    const [first] = text.articles;
    const { url } = first;
    const content = await plan.read(first);
    if (contentCid(content) !== text.contentCid)
      throw new UsageInvalidError('the file changed during this run; run the command again');
    const acceptance = await retry.run(() => client.attest(content, { ...fields, url, signal }));
    const { attestation } = acceptance;
    await manifest.put(text.articles.map((article) => entryOf(manifest, article, attestation)));
    const { id, status } = attestation;
    if (status !== 'confirmed') this.#inProgress.set(id, text);
    const notes = await retry.run(() => ignoredNotes({ client, signal }, acceptance, { url }));
    this.notes.push(...notes.map((note) => `${first.file}: ${note}`));
    return status === 'confirmed';
  }

  #recordFailure(text: PlannedText, error: string): void {
    this.#counts.failed += 1;
    for (const { file } of text.articles) this.faults.push({ file, error });
  }

  async #pollUntilSettled(sending: Promise<void>): Promise<void> {
    const { clock, signal, options } = this.#context;
    const { timeout = Number.POSITIVE_INFINITY, wait = true } = options;
    for (;;) {
      const sentAtMs = this.#sentAtMs;
      await this.#poll();
      const isTimedOut = sentAtMs !== undefined && clock.now() - sentAtMs >= timeout * 1000;
      if (sentAtMs !== undefined && (this.#inProgress.size === 0 || !wait || isTimedOut)) return;
      // If the timer remained, it would keep the process alive.
      const pauseEnd = new AbortController();
      const pause = clock.sleep(pollSeconds, AbortSignal.any([signal, pauseEnd.signal]));
      await Promise.race(sentAtMs === undefined ? [pause, sending] : [pause]).finally(() => pauseEnd.abort());
    }
  }

  async #poll(): Promise<void> {
    const confirmed: PlannedText[] = [];
    const entries: ManifestEntry[] = [];
    for await (const [id, attestation] of readAttestations(this.#context, [...this.#inProgress.keys()])) {
      const text = this.#inProgress.get(id);
      if (!text) continue;
      const current = attestation ?? { status: 'failed', error: `the service has no attestation ${id}` };
      entries.push(...text.articles.flatMap((article) => this.#updated(article, current)));
      if (current.status === 'confirmed') confirmed.push(text);
      if (current.status === 'failed') this.#recordFailure(text, current.error ?? 'the attestation failed');
      if (current.status === 'confirmed' || current.status === 'failed') this.#inProgress.delete(id);
    }
    await this.#context.manifest.put(entries);
    await this.#recordConfirmed(confirmed);
  }

  #updated({ file }: Article, { status, error }: Pick<Attestation, 'status' | 'error'>): ManifestEntry[] {
    const entry = this.#context.manifest.entries.get(file);
    if (!entry || entry.status === status) return [];
    return [{ ...entry, status, ...(error !== null && { error }) }];
  }

  async #recordConfirmed(texts: readonly PlannedText[]): Promise<void> {
    this.faults.push(...(await proveTexts(this.#context, texts)));
    this.#counts.confirmed += texts.length;
  }
}
