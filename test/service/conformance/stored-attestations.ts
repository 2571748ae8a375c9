import type { Hex } from 'viem';
import { acceptAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { newAttestation } from '../../../functions/domain/attestation/new-attestation.ts';
import { records } from '../stack/aws.ts';
import { article, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';

/** Stores attestations as the service does for content that is in the registry: without workflows. */
async function storeAttestation({ organizationId, authority }: Publisher, number: number): Promise<string> {
  const content = parseContent(article(`stored ${number}`));
  const digest: Hex = contentDigest(content);
  const subject = {
    ...{ organizationId, authorityAddress: authority.address, chainId: stack.chainId },
    ...{ digest, contentCid: contentCid(digest) },
  };
  const now = new Date(Date.now() - 60_000 + number);
  const basis = {
    registryAddress: stack.registryAddress,
    delegateAddress: stack.signerAddress,
    attested: { attestationIndex: number + 1, confirmedAt: now.toISOString() },
  };
  const attestation = newAttestation(subject, basis, { text: content.text, now });
  await acceptAttestation(records, { attestation, contentBytes: content.bytes });
  return attestation.id;
}

export async function storeAttestations(publisher: Publisher, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, number) => storeAttestation(publisher, number));
  return (await Promise.all(ids)).toReversed();
}
