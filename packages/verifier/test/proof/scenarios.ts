import type { Address } from 'viem';
import {
  author,
  other,
  platform,
  RegistryFixture,
  startRegistry,
} from '../../../../contracts/test/chain/registry.ts';
import type { AttestationReference, Outcome } from '../../src/verifier.ts';
import { attestArticle, attestBatch, correct } from '../attested-article.ts';

/** An attestation on a real chain and its expected outcome. */
export interface Scenario {
  readonly name: string;
  readonly reference: AttestationReference;
  readonly text: string;
  readonly outcome: Outcome;
}

export interface Scenarios {
  readonly registry: RegistryFixture;
  readonly all: readonly Scenario[];
}

type Attested = readonly [name: string, reference: AttestationReference, text: string, outcome: Outcome];

/** Attests single texts: valid, revoked, with two corrections, and with an unattested correction. */
async function attestSingle(registry: RegistryFixture): Promise<Attested[]> {
  const attest = async (text: string, by: Address = author) =>
    (await attestArticle(registry, by, text)).reference;
  const single = await attest('Attested as a single text.');
  const revoked = await attest('Withdrawn.');
  await registry.mine(author, 'revokeAttestation', [BigInt(revoked.attestationIndex)]);
  const corrected = await attest('Corrected twice.');
  const middle = await attest('The first correction.');
  await attest('The second correction.');
  await correct(registry, corrected, 'The first correction.');
  await correct(registry, middle, 'The second correction.');
  const unattested = await attest('Corrected by what nobody attested.');
  await correct(registry, unattested, 'Never attested.');
  await attest('Attested by two.', other);
  const later = await attest('Attested by two.');
  return [
    ['single', single, 'Attested as a single text.', 'verified'],
    ['revoked', revoked, 'Withdrawn.', 'revoked'],
    ['corrected', corrected, 'Corrected twice.', 'superseded'],
    ['corrected-by-nothing', unattested, 'Corrected by what nobody attested.', 'superseded'],
    ['later', later, 'Attested by two.', 'verified'],
  ];
}

/** Attests batches: one member is the first of its content, another is not. */
async function attestInBatches(registry: RegistryFixture): Promise<Attested[]> {
  for (const authority of [author, other]) await registry.mine(authority, 'delegate', [platform]);
  await attestBatch(registry, [{ text: 'In the batches of two.', authority: other }]);
  const [, member, laterMember] = await attestBatch(registry, [
    { text: 'The first of a batch.', authority: other },
    { text: 'In a batch.', authority: author },
    { text: 'In the batches of two.', authority: author },
  ]);
  if (!member || !laterMember) throw new Error('the batch is incomplete');
  return [
    ['batch', member, 'In a batch.', 'verified'],
    ['later-in-batch', laterMember, 'In the batches of two.', 'verified'],
  ];
}

/** Starts a chain with attestations of each kind, and others that deepen its tries. */
export async function startScenarios(): Promise<Scenarios> {
  const registry = await startRegistry();
  const attested = [...(await attestSingle(registry)), ...(await attestInBatches(registry))];
  const quick = await RegistryFixture.deploy(registry.chain, 2);
  const { reference: inQuick } = await attestArticle(quick, author, 'Quickly revealed.');
  attested.push(['short-delay', inQuick, 'Quickly revealed.', 'verified']);
  for (let number = 1; number <= 12; number++)
    await attestArticle(registry, other, `One of many others, ${number}.`);
  const all = attested.map(([name, reference, text, outcome]) => ({ name, reference, text, outcome }));
  return { registry, all };
}
