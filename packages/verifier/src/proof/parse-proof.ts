import { Part } from '../part.ts';
import { maxProofNodes } from '../trie/trie-proof.ts';
import type { ProofAccount, ProofFile, ProofSlot, ProofStorage } from './proof-file.ts';

/** A malformed proof file; the message states the problem and its location in one line. */
export class ProofInvalidError extends Error {
  override name = 'ProofInvalidError';
}

/** About twice the hexadecimal code of a hundred full pages: each of a hundred corrections may be in another page. */
const maxBytes = 10_000_000;
const maxAccounts = 256;
const maxSlots = 4096;

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.000)?Z$/;

const readBytes = (part: Part) => part.bytes();
const readWord = (part: Part) => part.word();
const readCount = (part: Part) => part.number(0);
const readNodes = (part: Part) => part.list(0, maxProofNodes, readBytes);

function readAscending<Value>(
  part: Part,
  maxItems: number,
  read: (item: Part) => Value,
  keyOf: (item: Value) => string,
) {
  let last = '';
  return part.list(0, maxItems, (item) => {
    const value = read(item);
    const key = keyOf(value).toLowerCase();
    if (key <= last) item.refuse('must be greater than the item before it');
    last = key;
    return value;
  });
}

function readSlot(part: Part): ProofSlot {
  return {
    slot: part.field('slot').word(),
    value: part.field('value').word(),
    proof: readNodes(part.field('proof')),
  };
}

function readAccount(part: Part): ProofAccount {
  return {
    address: part.field('address').address(),
    accountProof: readNodes(part.field('accountProof')),
    code: part.optional('code', readBytes),
    slots: readAscending(part.field('slots'), maxSlots, readSlot, ({ slot }) => slot),
  };
}

function readStorage(part: Part): ProofStorage {
  const block = part.field('block');
  return {
    block: {
      number: block.field('number').number(0),
      hash: block.field('hash').word(),
      header: block.field('header').bytes(),
      final: block.field('final').boolean(),
    },
    accounts: readAscending(part.field('accounts'), maxAccounts, readAccount, ({ address }) => address),
  };
}

/** Parses a proof file without checking its proofs, and drops unknown fields. @throws ProofInvalidError */
export function parseProof(file: string | Uint8Array | object): ProofFile {
  const part = Part.ofFile(file, maxBytes, (problem) => new ProofInvalidError(problem));
  const version = part.version();
  const [content, attested] = [part.field('content'), part.field('attested')];
  return {
    version,
    reference: part.field('reference').reference(),
    content: {
      bytes: content.optional('bytes', readCount),
      quoteRoot: content.optional('quoteRoot', readWord),
      quoteTree: content.optional('quoteTree', (tree) =>
        tree.text(/^[a-z0-9-]{1,40}$/, 'the name of a quote tree, such as taanq-46'),
      ),
    },
    attested: {
      commitTransaction: attested.optional('commitTransaction', readWord),
      revealTransaction: attested.optional('revealTransaction', readWord),
      block: attested.optional('block', readCount),
      time: attested.field('time').text(timePattern, 'a time, such as 2026-11-22T01:12:36Z'),
    },
    registry: part.optional('registry', (registry) => ({ codeHash: registry.field('codeHash').word() })),
    publisher: part.optional('publisher', (publisher) => ({
      domain: publisher.field('domain').text(/^[a-z0-9.-]{1,253}$/, 'a domain name in lower-case ASCII'),
    })),
    storage: part.optional('storage', readStorage),
  };
}
