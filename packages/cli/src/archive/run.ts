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
import { type ArchiveWork, eachOf, entryOf, linkCorrections, proveTexts, readAttestations } from './work.ts';

export interface Counts {
  readonly total: number;
  /** Accepted or refused by the service. */
  readonly sent: number;
  readonly confirmed: number;
  readonly failed: number;
}

const pollSeconds = 5;

/** Errors that concern one text. Any other error would affect the next text, too. */
const ofText = [
  ...[UsageInvalidError, RequestInvalidError, RequestTooLargeError],
  ...[ContentRevokedError, ServiceUnavailableError],
];

/** Attests an archive: sends texts, follows them until they are confirmed, writes proofs, and links corrections. */
export class ArchiveRun {
  readonly #work: ArchiveWork;
  readonly #inProgress = new Map<string, PlannedText>();
  readonly #counts = { total: 0, sent: 0, confirmed: 0, failed: 0 };
  #sentAtMs: number | undefined;
  readonly faults: Fault[] = [];
  readonly notes: string[] = [];

  constructor(work: ArchiveWork) {
    this.#work = work;
    this.#counts.total = work.plan.texts.length;
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** @throws errors that affect all requests: an invalid key, an unwritable manifest, the signal's reason */
  async run(): Promise<void> {
    await this.#takeOver();
    const send = async () => {
      await eachOf(this.#work.plan.toSend, this.#work.options.concurrency, (text) => this.#send(text));
      this.#sentAtMs = this.#work.clock.now();
    };
    const sending = send();
    await Promise.all([sending, this.#follow(sending)]);
    if (!this.#work.options.linkCorrections) return;
    const { faults, notes } = await linkCorrections(this.#work);
    this.faults.push(...faults);
    this.notes.push(...notes);
  }

  /** Takes over texts that are attested or in progress according to the manifest. */
  async #takeOver(): Promise<void> {
    const { manifest, plan } = this.#work;
    const byContent = new Map<string, ManifestEntry>();
    for (const entry of manifest.entries.values())
      if (entry.status !== 'failed') byContent.set(entry.contentCid, entry);
    const entries: ManifestEntry[] = [];
    const confirmed: PlannedText[] = [];
    for (const text of plan.texts) {
      const known = byContent.get(text.contentCid);
      if (!known) continue;
      const others = text.articles.filter(({ file }) => manifest.entries.get(file)?.id !== known.id);
      entries.push(...others.map((article) => entryOf(manifest, article, known)));
      this.#counts.sent += 1;
      if (known.status === 'confirmed') confirmed.push(text);
      else this.#inProgress.set(known.id, text);
    }
    await manifest.put(entries);
    await this.#confirmed(confirmed);
  }

  async #send(text: PlannedText): Promise<void> {
    let isConfirmed = false;
    try {
      isConfirmed = await this.#accept(text);
    } catch (error) {
      if (!(error instanceof Error && ofText.some((kind) => error instanceof kind))) throw error;
      this.#fail(text, error.message);
    }
    this.#counts.sent += 1;
    if (isConfirmed) await this.#confirmed([text]);
  }

  /** @returns whether it is already confirmed. @throws errors of the text, and others */
  async #accept(text: PlannedText): Promise<boolean> {
    const { client, retry, signal, manifest, plan, fields } = this.#work;
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

  #fail(text: PlannedText, error: string): void {
    this.#counts.failed += 1;
    for (const { file } of text.articles) this.faults.push({ file, error });
  }

  async #follow(sending: Promise<void>): Promise<void> {
    const { clock, signal, options } = this.#work;
    const { timeout = Number.POSITIVE_INFINITY, wait = true } = options;
    for (;;) {
      const sentAtMs = this.#sentAtMs;
      await this.#poll();
      const isTimedOut = sentAtMs !== undefined && clock.now() - sentAtMs >= timeout * 1000;
      if (sentAtMs !== undefined && (this.#inProgress.size === 0 || !wait || isTimedOut)) return;
      // A remaining timer would keep the process alive.
      const rest = new AbortController();
      const pause = clock.sleep(pollSeconds, AbortSignal.any([signal, rest.signal]));
      await Promise.race(sentAtMs === undefined ? [pause, sending] : [pause]).finally(() => rest.abort());
    }
  }

  async #poll(): Promise<void> {
    const confirmed: PlannedText[] = [];
    const entries: ManifestEntry[] = [];
    for await (const [id, attestation] of readAttestations(this.#work, [...this.#inProgress.keys()])) {
      const text = this.#inProgress.get(id);
      if (!text) continue;
      const seen = attestation ?? { status: 'failed', error: `the service has no attestation ${id}` };
      entries.push(...text.articles.flatMap((article) => this.#changed(article, seen)));
      if (seen.status === 'confirmed') confirmed.push(text);
      if (seen.status === 'failed') this.#fail(text, seen.error ?? 'the attestation failed');
      if (seen.status === 'confirmed' || seen.status === 'failed') this.#inProgress.delete(id);
    }
    await this.#work.manifest.put(entries);
    await this.#confirmed(confirmed);
  }

  #changed({ file }: Article, { status, error }: Pick<Attestation, 'status' | 'error'>): ManifestEntry[] {
    const entry = this.#work.manifest.entries.get(file);
    if (!entry || entry.status === status) return [];
    return [{ ...entry, status, ...(error !== null && { error }) }];
  }

  async #confirmed(texts: readonly PlannedText[]): Promise<void> {
    this.faults.push(...(await proveTexts(this.#work, texts)));
    this.#counts.confirmed += texts.length;
  }
}
