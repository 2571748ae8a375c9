import { type Command, Option } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import * as verifier from 'imprimatur-verifier';
import { collect, referenceOption } from '../arguments.ts';
import { findPublisher } from '../domain/find-publisher.ts';
import { UsageInvalidError } from '../errors.ts';
import { commonExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';
import {
  type AttestationSubject,
  explainAltered,
  findSubject,
  type ReferenceOptions,
  type Subject,
} from '../verifying/find-subject.ts';
import { type LinkedText, readLinkedText } from '../verifying/linked-text.ts';
import { findProviders, requireProviders } from '../verifying/providers.ts';
import { verdictResult } from '../verifying/verdict-text.ts';

interface VerifyOptions extends ReferenceOptions {
  readonly rpc?: readonly string[];
  readonly otherRegistry?: readonly string[];
  readonly offline?: true;
  readonly blockHash?: string;
  readonly domain?: string | false;
  readonly fetch: boolean;
}

const help = helpText({
  notes: `Does not contact the service. Without --rpc, public providers of Ethereum, Base,
Arbitrum One or Sepolia are used. They learn which attestation you check, not
the text.

For a page, the command verifies the text that the page links to. It reads that
text from the page's folder, or else from a public https address. With
--no-fetch, it reads only the folder.

The command also asks a domain over https whether that domain vouches for the
authority: the domain of --domain, of the proof file or of the page. The answer
does not change the exit code.`,
  examples: ['imprimatur verify article.md', 'imprimatur verify article.md --offline --block-hash 0x…'],
  exitCodes: {
    ...commonExitCodes,
    0: 'verified',
    1: 'not verified',
    2: 'wrong usage, or unknown: the output has the reason',
    3: 'superseded by a correction',
  },
});

export function verify(program: Command, run: RunCommand): void {
  program
    .command('verify')
    .description('Verify a text, quote, page or reference without the service.')
    .argument('<what>', 'text, proof file, quote proof, page, reference (eip155:…), or - for a text on stdin')
    .addOption(referenceOption())
    .option('--proof <file>', 'proof file of the text (default: article.proof.json)')
    .option('--rpc <url>', 'RPC provider; repeatable, answers are compared', collect)
    .option('--other-registry <address>', 'another registry to search for corrections; repeatable', collect)
    .addOption(new Option('--offline', 'check the proof file without network access').conflicts('rpc'))
    .option('--block-hash <hash>', "hash of the proof's block, from a source that you trust")
    .option('--domain <domain>', 'domain to check (default: that of the proof file or page)')
    .option('--no-domain', 'contact no domain')
    .option('--no-fetch', "read a page's text only from its folder")
    .addHelpText('after', help)
    .action((input: string, options: VerifyOptions) => run((session) => runVerify(session, input, options)));
}

async function runVerify(session: Session, input: string, options: VerifyOptions): Promise<CommandResult> {
  try {
    checkOptions(options);
    const subject = await findSubject(input, options, session);
    const { page, reference, domainHint }: Partial<AttestationSubject> = 'quote' in subject ? {} : subject;
    const mayFetch = options.fetch && !options.offline;
    // The text that the page links to, or the reason why that text is unknown.
    const linked =
      page !== undefined && reference
        ? await readLinkedText(session, { path: input, html: page, reference, mayFetch })
        : undefined;
    const verdict = await verifySubject(subject, options, linked);
    const providers = findProviders(options.rpc, verdict.reference.chainId);
    const publisher = options.offline
      ? undefined
      : await findPublisher(session, verdict, { domain: options.domain, hint: domainHint }, providers);
    const context = { publisher, linked: typeof linked === 'string' ? undefined : linked };
    return verdictResult(verdict, context, session.isColored);
  } catch (error) {
    // A forged proof is a result, not a usage error.
    if (!(error instanceof verifier.QuoteProofInvalidError)) throw error;
    return { json: error.answer, text: error.answerText, exitCode: 1 };
  }
}

function checkOptions({ offline, blockHash, domain, otherRegistry }: VerifyOptions): void {
  if ((offline === undefined) !== (blockHash === undefined))
    throw new UsageInvalidError('pass --offline and --block-hash together');
  if (offline && typeof domain === 'string')
    throw new UsageInvalidError('--offline cannot be used with --domain');
  if (offline && otherRegistry) throw new UsageInvalidError('--offline cannot be used with --other-registry');
}

async function verifySubject(
  subject: Subject,
  { rpc, otherRegistry: otherRegistries, blockHash }: VerifyOptions,
  linked: LinkedText | string | undefined,
) {
  if ('quote' in subject) {
    if (blockHash !== undefined) throw new UsageInvalidError('quote proofs cannot be checked offline');
    const { quote } = verifier.parseQuoteProof(subject.quote);
    const providers = requireProviders(rpc, quote.chainId);
    return verifier.verifyQuote(quote, { providers, otherRegistries });
  }
  const { reference, proof, page } = subject;
  const text = typeof linked === 'object' ? linked.bytes : subject.text;
  const verdict =
    blockHash === undefined
      ? await verifier.verify(reference, {
          ...{ providers: requireProviders(rpc, reference.chainId), text, otherRegistries },
        })
      : await verifyByProof(subject, text, blockHash);
  if (page !== undefined && text) return verifier.withPageNotices(verdict, page, text);
  if (typeof linked === 'string') return verifier.toPageVerdict(verdict, linked);
  return explainAltered(
    proof && blockHash === undefined ? verifier.compareWithProof(verdict, proof) : verdict,
    subject,
  );
}

function verifyByProof(
  { reference, proof }: AttestationSubject,
  text: Uint8Array | undefined,
  blockHash: string,
) {
  if (!proof)
    throw new UsageInvalidError('--offline needs a proof file; pass --proof instead of --reference');
  return verifier.verifyOffline(proof, { blockHash, text, reference });
}
