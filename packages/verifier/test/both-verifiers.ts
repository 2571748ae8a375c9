import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Answer, RpcServer } from '../../../test/fakes/rpc/rpc-server.ts';
import { runCommand } from '../../verifier-py/test/run-python.ts';
import { readInputText } from '../src/text/input-text.ts';
import { exitCodeOf, isVerified } from '../src/verdict/outcome.ts';
import { isoTime } from '../src/verdict/sentences.ts';
import {
  type AttestationReference,
  formatReference,
  type QuoteVerdict,
  type RequestFunction,
  type RpcEndpoint,
  type Verdict,
  type VerifyOptions,
  type VerifyQuoteOptions,
  verify,
  verifyQuote,
} from '../src/verifier.ts';
import { FakeRpcError } from './fake-node.ts';

/** The facts that both verifiers return. Only sentences and the names of providers may differ. */
export function factsOf(verdict: Verdict | QuoteVerdict): object {
  const { reference, outcome, attestation, block, notYetFinal, firstAttestedBy, corrections } = verdict;
  const { text, quoteRootHolds, record, registry, providers } = verdict;
  const facts = {
    exitCode: exitCodeOf(verdict),
    verified: isVerified(verdict),
    ...reference,
    quoted: 'quote' in verdict ? verdict.quote.segments.map(({ text }) => text) : undefined,
    ...{ outcome, notYetFinal, firstAttestedBy, corrections, quoteRootHolds, registry },
    attestedAt: attestation && isoTime(attestation.attestedAt),
    revokedAt: attestation?.revokedAt ? isoTime(attestation.revokedAt) : undefined,
    blockNumber: block?.number,
    indexByAuthority: record?.indexByAuthority,
    textIsContent: text?.isContent,
    providers: providers.map(({ answered, block }) => ({ answered, block })),
  };
  return JSON.parse(JSON.stringify(facts));
}

async function answerOf(endpoint: RequestFunction, rpcRequest: object): Promise<Answer> {
  try {
    return { result: await endpoint.request(rpcRequest as never) };
  } catch (error) {
    if (!(error instanceof FakeRpcError)) return { error: { code: -32_603, message: 'internal error' } };
    const { code, message, data } = error;
    return { error: { code, message, data } };
  }
}

/** The facts of the Python verifier, which reaches request functions over HTTP. */
async function pythonFacts(
  args: readonly string[],
  { option, content }: { readonly option: string; readonly content: VerifyOptions['text'] },
  { providers, otherRegistries = [] }: VerifyQuoteOptions,
): Promise<object> {
  const directory = await mkdtemp(join(tmpdir(), 'both-verifiers-'));
  const file = join(directory, 'file');
  if (content !== undefined) await writeFile(file, content);
  const servers: RpcServer[] = [];
  const urlOf = (endpoint: RpcEndpoint) => {
    if (typeof endpoint === 'string') return endpoint;
    const server = new RpcServer(({ method, params = [] }) => answerOf(endpoint, { method, params }));
    servers.push(server);
    return server.start();
  };
  try {
    const rpc = (await Promise.all(providers.map(urlOf))).flatMap((url) => ['--rpc', url]);
    const fileArgs = content === undefined ? [] : [option, file];
    const others = otherRegistries.flatMap((address) => ['--other-registry', address]);
    const { code, stdout, stderr } = await runCommand(['--json', ...args, ...fileArgs, ...others, ...rpc]);
    if (stderr !== '') throw new Error(stderr);
    const { reason, providers: reported, ...facts } = JSON.parse(stdout);
    const reports = reported.map(({ answered, block }: Record<string, unknown>) => ({ answered, block }));
    return JSON.parse(JSON.stringify({ exitCode: code, ...facts, providers: reports }));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true });
  }
}

/**
 * Verifies with both verifiers, compares their facts, and returns the library's verdict. Only the library gets a text that is
 * not UTF-8.
 */
export async function verifyByBoth(reference: AttestationReference | string, options: VerifyOptions) {
  const { text } = options;
  const input = text === undefined ? undefined : readInputText(text);
  const verdict = await verify(reference, options);
  if (input && (input.bytes === undefined || input.text === undefined)) return verdict;
  const args = ['--reference', formatReference(verdict.reference)];
  expect(await pythonFacts(args, { option: '--file', content: text }, options)).toEqual(factsOf(verdict));
  return verdict;
}

/** Does the same for a quote proof as JSON. */
export async function verifyQuoteByBoth(quote: string, options: VerifyQuoteOptions): Promise<QuoteVerdict> {
  const verdict = await verifyQuote(quote, options);
  const file = { option: '--quote', content: quote };
  expect(await pythonFacts([], file, options)).toEqual(factsOf(verdict));
  return verdict;
}
