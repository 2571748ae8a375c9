import { type Command, Option } from 'commander';
import * as verifier from 'imprimatur-verifier';
import { collect, referenceOption } from '../arguments.ts';
import { findPublisher } from '../domain/find-publisher.ts';
import { UsageInvalidError } from '../errors.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';
import {
  type AttestationSubject,
  asTaken,
  findSubject,
  type ReferenceChoice,
  type Subject,
} from '../verifying/find-subject.ts';
import { type LinkedText, readLinkedText } from '../verifying/linked-text.ts';
import { knownProviders, providersOf } from '../verifying/providers-of.ts';
import { verdictAnswer } from '../verifying/verdict-text.ts';

interface VerifyChoice extends ReferenceChoice {
  readonly rpc?: readonly string[];
  readonly otherRegistry?: readonly string[];
  readonly offline?: true;
  readonly blockHash?: string;
  /** `false` with --no-domain. */
  readonly domain?: string | false;
  /** `false` with --no-fetch. */
  readonly fetch: boolean;
}

const explanation = `
A text is read as it is, to the last byte; its reference comes from --reference, --proof, or the proof file beside it
(article.proof.json beside article.md). The service is not asked, but RPC providers of the chain: those that --rpc names,
or public ones of Ethereum, Base, Arbitrum One and Sepolia. They learn which attestation is looked at, and not the text.

A page is no text: its verdict is that of the text that it links to, as a file of its folder or by https, at public addresses
alone. The host learns that somebody asks; --no-fetch asks none. The page's own words are compared as a hint.

Who the authority is, a domain may say: that of --domain, of the proof file, or of a page's canonical address. It is asked over https for
/.well-known/attestation-authorities.json, and so learns that somebody verifies. The exit code does not depend on it.

Exit codes: 0 verified, 3 superseded by a correction, 1 not verified, 2 wrong usage, or nothing is known: too few
providers answer, they disagree, or the registry is not known, 70 an error that was not foreseen.`;

export function verify(program: Command, act: Act): void {
  program
    .command('verify')
    .description('Verify an attested text, a quote, a page or a reference, without the service.')
    .argument('<what>', 'a text or - for standard input, a proof file, a quote proof, a page, or eip155:…')
    .addOption(referenceOption())
    .option('--proof <file>', "the text's proof file (default: the one beside it)")
    .option('--rpc <url>', 'an RPC provider to ask; given several times, they are compared', collect)
    .option(
      '--other-registry <address>',
      'a registry in which corrections are looked for, beside the published ones; may be given several times',
      collect,
    )
    .addOption(
      new Option('--offline', 'ask nobody: check the proof file against --block-hash').conflicts('rpc'),
    )
    .option('--block-hash <hash>', "hash of the proof's block, from a node or an explorer that you believe")
    .option(
      '--domain <domain>',
      'ask this domain whether it vouches for the authority (default: what the proof file or page names)',
    )
    .option('--no-domain', 'ask no domain')
    .option('--no-fetch', "read the text that a page links to from the page's folder alone")
    .addHelpText('after', explanation)
    .action((what: string, choice: VerifyChoice) => act((session) => check(session, what, choice)));
}

async function check(session: Session, what: string, choice: VerifyChoice): Promise<CommandAnswer> {
  try {
    checkOptions(choice);
    const subject = await findSubject(what, choice, session);
    const { page, reference, domainHint }: Partial<AttestationSubject> = 'quote' in subject ? {} : subject;
    const mayFetch = choice.fetch && !choice.offline;
    // The text that a page links to, or why it is not known.
    const linked =
      page !== undefined && reference
        ? await readLinkedText(session, { path: what, html: page, reference, mayFetch })
        : undefined;
    const verdict = await judge(subject, choice, linked);
    const providers = knownProviders(choice.rpc, verdict.reference.chainId);
    // Offline nobody is asked.
    const publisher = choice.offline
      ? undefined
      : await findPublisher(session, verdict, { domain: choice.domain, hint: domainHint }, providers);
    const beside = { publisher, linked: typeof linked === 'string' ? undefined : linked };
    return verdictAnswer(verdict, beside, session.isColored);
  } catch (error) {
    // A forged proof is an answer, not a usage error.
    if (!(error instanceof verifier.QuoteProofInvalidError)) throw error;
    return { json: error.answer, text: error.answerText, exitCode: 1 };
  }
}

function checkOptions({ offline, blockHash, domain, otherRegistry }: VerifyChoice): void {
  if ((offline === undefined) !== (blockHash === undefined))
    throw new UsageInvalidError(
      '--offline and --block-hash go together: the proof is of the block with that hash',
    );
  if (offline && typeof domain === 'string')
    throw new UsageInvalidError('--offline asks nobody, and so not the domain of --domain either');
  if (offline && otherRegistry)
    throw new UsageInvalidError(
      '--offline asks nobody: a proof file has the registry of its reference alone',
    );
}

async function judge(
  subject: Subject,
  { rpc, otherRegistry: otherRegistries, blockHash }: VerifyChoice,
  linked: LinkedText | string | undefined,
) {
  if ('quote' in subject) {
    if (blockHash !== undefined) throw new UsageInvalidError('a quote proof is not checked offline');
    const { quote } = verifier.parseQuoteProof(subject.quote);
    const providers = providersOf(rpc, quote.chainId);
    return verifier.verifyQuote(quote, { providers, otherRegistries });
  }
  const { reference, proof, page } = subject;
  const text = typeof linked === 'object' ? linked.bytes : subject.text;
  const verdict =
    blockHash === undefined
      ? await verifier.verify(reference, {
          ...{ providers: providersOf(rpc, reference.chainId), text, otherRegistries },
        })
      : await verifyByProof(subject, text, blockHash);
  if (page !== undefined && text) return verifier.besidePage(verdict, page, text);
  if (typeof linked === 'string') return verifier.ofPage(verdict, linked);
  return asTaken(proof && blockHash === undefined ? verifier.againstProof(verdict, proof) : verdict, subject);
}

function verifyByProof(
  { reference, proof }: AttestationSubject,
  text: Uint8Array | undefined,
  blockHash: string,
) {
  if (!proof)
    throw new UsageInvalidError('--offline needs a proof file: --proof names it, in place of --reference');
  return verifier.verifyOffline(proof, { blockHash, text, reference });
}
