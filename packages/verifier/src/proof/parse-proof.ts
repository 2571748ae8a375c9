import type { Address, Hex } from '../hex.ts';
import { type AttestationReference, normalizeReference } from '../reference/reference.ts';
import { parseAddress, ReferenceInvalidError } from '../reference/reference-parts.ts';
import { decode } from '../text/given-text.ts';
import { maxProofNodes } from '../trie/trie-proof.ts';
import { Part, ProofInvalidError } from './part.ts';
import type { ProofAccount, ProofFile, ProofSlot, ProofStorage } from './proof-file.ts';

/** Size of the longest file that is read: five times that of a hundred corrections, each in a full page of its own. */
const maxBytes = 10_000_000;
const maxAccounts = 256;
const maxSlots = 4096;

const readText = (form: RegExp, expected: string) => (part: Part) => part.text(form, expected);
const readHex = (part: Part) =>
  part.text(/^0x(?:[0-9a-f]{2})*$/, 'bytes, 0x and pairs of lower-case hexadecimal digits') as Hex;
const readWord = (part: Part) =>
  part.text(/^0x[0-9a-f]{64}$/, '0x and 64 lower-case hexadecimal digits') as Hex;
const readTime = readText(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.000)?Z$/,
  'a time, such as 2026-11-22T01:12:36Z',
);
const readTree = readText(/^[a-z0-9-]{1,40}$/, 'the name of a quote tree, such as taanq-46');
const readDomain = readText(/^[a-z0-9.-]{1,253}$/, 'the name of a domain, in ASCII and lower case');
const anyText = /^/;

/** Runs what reads a part of a reference, and says where in the file that is. */
function atPath<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReferenceInvalidError)) throw error;
    throw new ProofInvalidError(`${path}: ${error.message}`, { cause: error });
  }
}

function readReference(part: Part): AttestationReference {
  const text = (name: string) => part.field(name).text(anyText, 'a text');
  const reference = {
    contentCid: text('contentCid'),
    chainId: part.field('chainId').number(1),
    registryAddress: text('registryAddress') as Address,
    authorityAddress: text('authorityAddress') as Address,
    attestationIndex: part.field('attestationIndex').number(1),
  };
  return atPath(part.path, () => normalizeReference(reference));
}

function readSlot(part: Part): ProofSlot {
  return {
    slot: readWord(part.field('slot')),
    value: readWord(part.field('value')),
    proof: part.field('proof').list(maxProofNodes, readHex),
  };
}

/** Each once, and so in the one order: a file says nothing twice. */
function checkAscending(part: Part, keys: readonly string[]): void {
  const position = keys.findIndex((key, at) => at > 0 && key <= (keys[at - 1] ?? ''));
  if (position === -1) return;
  throw new ProofInvalidError(
    `${part.path}[${position}] must come after the one before: each is there once, in ascending order`,
  );
}

function readAccount(part: Part): ProofAccount {
  const address = part.field('address');
  const slots = part.field('slots').list(maxSlots, readSlot);
  checkAscending(
    part.field('slots'),
    slots.map(({ slot }) => slot),
  );
  return {
    address: atPath(address.path, () => parseAddress('it', address.text(anyText, 'a text'))),
    accountProof: part.field('accountProof').list(maxProofNodes, readHex),
    code: part.optional('code', readHex),
    slots,
  };
}

function readStorage(part: Part): ProofStorage {
  const block = part.field('block');
  const accounts = part.field('accounts').list(maxAccounts, readAccount);
  checkAscending(
    part.field('accounts'),
    accounts.map(({ address }) => address.toLowerCase()),
  );
  return {
    block: {
      number: block.field('number').number(0),
      hash: readWord(block.field('hash')),
      header: readHex(block.field('header')),
      final: block.field('final').boolean(),
    },
    accounts,
  };
}

function readFile(part: Part): ProofFile {
  const version = part.field('version');
  if (version.number(1) !== 1) version.fail('1, the only version that is known here');
  const [content, attested] = [part.field('content'), part.field('attested')];
  return {
    version: 1,
    reference: readReference(part.field('reference')),
    content: {
      bytes: content.optional('bytes', (bytes) => bytes.number(0)),
      quoteRoot: content.optional('quoteRoot', readWord),
      quoteTree: content.optional('quoteTree', readTree),
    },
    attested: {
      commitTransaction: attested.optional('commitTransaction', readWord),
      revealTransaction: attested.optional('revealTransaction', readWord),
      block: attested.optional('block', (block) => block.number(0)),
      time: readTime(attested.field('time')),
    },
    registry: part.optional('registry', (registry) => ({ codeHash: readWord(registry.field('codeHash')) })),
    publisher: part.optional('publisher', (publisher) => ({ domain: readDomain(publisher.field('domain')) })),
    storage: part.optional('storage', readStorage),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message is left out: it shows the file, whatever that is.
    throw new ProofInvalidError('the file is not JSON');
  }
}

/**
 * Parses a proof file: its text, its bytes or what JSON gave. Nothing in it is checked against anything yet; fields
 * that this version does not have are left out.
 * @throws ProofInvalidError
 */
export function parseProof(file: string | Uint8Array | object): ProofFile {
  if (typeof file !== 'string' && !(file instanceof Uint8Array)) return readFile(new Part(file));
  if (file.length > maxBytes) throw new ProofInvalidError(`the file is longer than ${maxBytes} bytes`);
  const text = typeof file === 'string' ? file : decode(file, 'utf-8');
  if (text === undefined) throw new ProofInvalidError('the file is not UTF-8 text');
  return readFile(new Part(readJson(text.replace(/^\ufeff/, ''))));
}
