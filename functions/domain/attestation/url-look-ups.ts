import { createHash } from 'node:crypto';
import type { Change, Key } from '../records.ts';
import type { Attestation, AttestationKey } from './attestation.ts';

/** Returns a URL in the form of the URL standard: `https://EXAMPLE.com` becomes `https://example.com/`. */
export function standardUrl(url: string): string {
  return URL.parse(url)?.href ?? url;
}

/** Returns the key that finds an attestation by its URL. The URL is hashed because it may be longer than a key. */
export function urlLookUp({ organizationId, id }: AttestationKey, url: string): Key {
  const hash = createHash('sha256').update(standardUrl(url)).digest('base64url');
  return { table: 'attestations', pk: `${organizationId}#url#${hash}`, sk: id };
}

export function addUrlLookUp(attestation: Attestation): Change[] {
  const { url } = attestation;
  return url === undefined ? [] : [{ key: urlLookUp(attestation, url), put: {} }];
}

export function removeUrlLookUp(attestation: Attestation): Change[] {
  return addUrlLookUp(attestation).map(({ key }) => ({ key, remove: true }));
}
