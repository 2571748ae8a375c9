import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stranger } from '../../../../contracts/test/chain/registry.ts';
import { formatReference, type ProofFile, takeProof } from '../../src/verifier.ts';
import { contentCid } from '../attested-article.ts';
import { type Scenario, startScenarios } from './scenarios.ts';
import { unknownRegistryProofs } from './unknown-registry-proofs.ts';
import type { ProofCase } from './vectors.ts';

const folder = fileURLToPath(new URL('../../../../test/vectors/proofs', import.meta.url));

const transactions = {
  commitTransaction: `0x${'c0'.repeat(32)}`,
  revealTransaction: `0x${'0c'.repeat(32)}`,
} as const;

/** Adds the fields of the service, which are not checked. */
async function fileOf({ reference, text }: Scenario, rpcUrl: string): Promise<ProofFile> {
  const proof = await takeProof(reference, [rpcUrl], { text });
  const attested = { ...proof.attested, ...transactions, block: 5 };
  const content = { ...proof.content, quoteTree: 'taanq-46' };
  return { ...proof, content, attested, publisher: { domain: 'example.org' } };
}

const changed = (hex: string) => hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0');

/** Cases with a changed field, and with missing, repeated and moved parts. */
async function forgeriesOf(file: string, text: string, proof: ProofFile): Promise<ProofCase[]> {
  const { storage, reference, content, registry } = proof;
  if (!storage) throw new Error('there is no storage');
  const base = { file, text, blockHash: storage.block.hash };
  const registryPosition = storage.accounts.findIndex(({ address }) => address === reference.registryAddress);
  const accountPath = `/storage/accounts/${registryPosition}`;
  const { accountProof = [], slots = [], code = '' } = storage.accounts[registryPosition] ?? {};
  const [slot] = slots;
  const nodes = slot?.proof ?? [];
  const forged = (
    name: string,
    outcome: ProofCase['outcome'],
    replace: Readonly<Record<string, unknown>>,
  ) => ({
    ...{ ...base, name: `${file}: ${name}`, outcome, replace },
  });
  return [
    { ...base, name: `${file}: another block hash`, outcome: 'unknown', blockHash: changed(base.blockHash) },
    { ...base, name: `${file}: another text`, outcome: 'altered', text: `${text}\n` },
    { ...base, name: `${file}: no text`, outcome: 'verified', text: null },
    forged('another index', 'notFound', { '/reference/attestationIndex': 999 }),
    forged('another authority', 'unknown', { '/reference/authorityAddress': stranger }),
    forged('another content', 'unknown', { '/reference/contentCid': await contentCid('Another.') }),
    forged('a registry without an account in the file', 'unknown', {
      '/reference/registryAddress': stranger,
    }),
    forged('another quote root', 'unknown', { '/content/quoteRoot': changed(content.quoteRoot ?? '') }),
    forged('another length', 'unknown', { '/content/bytes': 1 }),
    forged('another time', 'unknown', { '/attested/time': '2026-01-01T00:00:00Z' }),
    forged('another code hash', 'unknown', { '/registry/codeHash': changed(registry?.codeHash ?? '') }),
    forged('another block number', 'unknown', { '/storage/block/number': 1 }),
    forged('another hash in its block', 'unknown', { '/storage/block/hash': changed(storage.block.hash) }),
    forged('another header', 'unknown', { '/storage/block/header': changed(storage.block.header) }),
    forged('other code', 'unknown', { [`${accountPath}/code`]: changed(code) }),
    forged('no code', 'unknown', { [`${accountPath}/code`]: null }),
    forged('another value', 'unknown', { [`${accountPath}/slots/0/value`]: changed(slot?.value ?? '') }),
    forged('another slot', 'unknown', { [`${accountPath}/slots/0/slot`]: `0x${'0'.repeat(64)}` }),
    forged('another node', 'unknown', {
      [`${accountPath}/slots/0/proof`]: nodes.with(-1, `0x${changed(nodes.at(-1) ?? '').slice(2)}`),
    }),
    forged('one node fewer', 'unknown', { [`${accountPath}/slots/0/proof`]: nodes.slice(0, -1) }),
    forged('a node twice', 'unknown', { [`${accountPath}/slots/0/proof`]: [...nodes, ...nodes.slice(-1)] }),
    forged('nodes in another order', 'unknown', { [`${accountPath}/slots/0/proof`]: nodes.toReversed() }),
    forged('no nodes', 'unknown', { [`${accountPath}/slots/0/proof`]: [] }),
    forged('one account node fewer', 'unknown', {
      [`${accountPath}/accountProof`]: accountProof.slice(0, -1),
    }),
    forged('one slot fewer', 'unknown', { [`${accountPath}/slots`]: slots.slice(1) }),
    forged('no slots', 'unknown', { [`${accountPath}/slots`]: [] }),
    forged('no accounts', 'unknown', { '/storage/accounts': [] }),
    forged('no storage', 'unknown', { '/storage': null }),
    forged('a slot twice', 'invalid', { [`${accountPath}/slots`]: slots.flatMap((each) => [each, each]) }),
    forged('slots in another order', 'invalid', { [`${accountPath}/slots`]: slots.toReversed() }),
    forged('upper case', 'invalid', {
      '/content/quoteRoot': content.quoteRoot?.toUpperCase().replace('X', 'x'),
    }),
    forged('a later version', 'invalid', { '/version': 2 }),
    forged('a version as a string', 'invalid', { '/version': '1' }),
    forged('no reference', 'invalid', { '/reference': null }),
    forged('an index of zero', 'invalid', { '/reference/attestationIndex': 0 }),
    forged('a list instead of an object', 'invalid', { '/content': [] }),
    forged('too many nodes', 'invalid', { [`${accountPath}/accountProof`]: Array(66).fill('0x80') }),
    forged('no quote root', 'verified', { '/content/quoteRoot': null }),
    forged('an unknown field', 'verified', { '/storage/later': { field: [1] } }),
    forged('another transaction, which is not checked', 'verified', {
      '/attested/revealTransaction': transactions.commitTransaction,
    }),
    forged('a block marked as final, which is not checked', 'verified', {
      '/storage/block/final': true,
    }),
    ...storage.accounts.flatMap(({ code: page }, position) => {
      if (page === undefined || position === registryPosition) return [];
      const codePath = `/storage/accounts/${position}/code`;
      return [
        // Without `content.quoteRoot`, only the code hash shows the change.
        forged(`another quote root in page ${position}`, 'unknown', {
          [codePath]: changed(page),
          '/content/quoteRoot': null,
        }),
        forged(`no code of page ${position}`, 'unknown', { [codePath]: null }),
      ];
    }),
  ];
}

async function main(): Promise<void> {
  const { registry, all } = await startScenarios();
  const cases: ProofCase[] = [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: unknown) =>
    writeFileSync(`${folder}/${name}`, `${JSON.stringify(content, null, 1)}\n`);
  try {
    for (const scenario of all) {
      const { name, text, outcome } = scenario;
      const proof = await fileOf(scenario, registry.chain.rpcUrl);
      const file = `${name}.proof.json`;
      write(file, proof);
      cases.push({ name, file, text, blockHash: proof.storage?.block.hash ?? '', outcome });
      if (name === 'single' || name === 'later-in-batch')
        cases.push(...(await forgeriesOf(file, text, proof)));
      console.log(`${file}: ${outcome}, ${formatReference(proof.reference)}`);
    }
    for (const { name, proof, text, outcome } of await unknownRegistryProofs(registry)) {
      const file = `${name}.proof.json`;
      write(file, proof);
      cases.push({ name, file, text, blockHash: proof.storage?.block.hash ?? '', outcome });
    }
    write('cases.json', cases);
  } finally {
    await registry.stop();
  }
}

await main();
