import { type Command, Option } from 'commander';
import type { AttestFields } from '../../client/imprimatur.ts';
import { attestContent, notTaken } from '../acceptance.ts';
import { parseArticleUrl, parseChainId } from '../arguments.ts';
import { readContent } from '../files/read-content.ts';
import { readJsonObject } from '../files/read-json-object.ts';
import { parseProofPath, pathOfProof, writeProof } from '../files/write-proof.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';
import { attestationText, referenceOf } from '../text.ts';
import { addWaitOptions, awaitOutcome, type WaitChoice } from '../wait.ts';

interface AttestChoice extends WaitChoice {
  readonly chain?: number;
  readonly url?: string;
  readonly metadata?: string;
  /** `true` without a path: beside the text. */
  readonly proof?: string | true;
}

const proofHelp = 'write the proof file (default: article.proof.json beside article.md); implies --wait';

const explanation = `
The file is attested exactly as it is, to the last line end: it must be UTF-8, at most 1,048,576 bytes. The same content
again is the same attestation, so the command may be repeated; after a failure it makes a new attempt.`;

export function attest(program: Command, act: Act): void {
  const command = program
    .command('attest')
    .description('Attest a text.')
    .argument('<file>', 'the text, or - for standard input')
    .option('--chain <id>', "chain to publish on (default: your organisation's)", parseChainId)
    .option('--url <url>', 'where the article is published', parseArticleUrl)
    .option('--metadata <file>', 'a JSON object that the service stores with it, never on-chain')
    .addOption(new Option('--proof [file]', proofHelp).argParser(parseProofPath).implies({ wait: true }))
    .addHelpText('after', explanation);
  addWaitOptions(command, 'it is confirmed').action((path: string, choice: AttestChoice) =>
    act((session) => submit(session, path, choice)),
  );
}

async function submit(session: Session, path: string, choice: AttestChoice): Promise<CommandAnswer> {
  const proofPath = choice.proof && pathOfProof(choice.proof, path);
  const content = await readContent(path, session);
  const fields = await fieldsOf(choice);
  const acceptance = await attestContent(session, content, fields);
  const { created, attestation } = acceptance;
  const { id, status } = attestation;
  const notes = await notTaken(session, acceptance, fields);
  const follow = `imprimatur status ${id} --wait`;
  if (!choice.wait) {
    const hint = status === 'confirmed' ? '' : `\n\nfollow it with: ${follow}`;
    return { json: { ...attestation, created }, text: `${attestationText(attestation)}${hint}`, notes };
  }
  const outcome = await awaitOutcome(session, choice, { id, again: follow }, (options) =>
    session.client.waitUntilConfirmed(id, options),
  );
  const text = `${attestationText(outcome)}\n\nverify it with: imprimatur verify ${shellWord(path)} --reference ${referenceOf(outcome)}`;
  if (!proofPath) return { json: { ...outcome, created }, text, notes };
  const proof = await session.client.proof(id, { signal: session.signal });
  await writeProof(proofPath, proof, outcome);
  const json = { ...outcome, created, proof: proofPath };
  return { json, text: `${text}\n\nits proof is in ${proofPath}`, notes };
}

/** A path as a shell takes it for one word. */
const shellWord = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

async function fieldsOf({ chain, url, metadata }: AttestChoice): Promise<AttestFields> {
  return {
    ...(chain === undefined ? {} : { chainId: chain }),
    ...(url === undefined ? {} : { url }),
    ...(metadata === undefined ? {} : { metadata: await readJsonObject(metadata) }),
  };
}
