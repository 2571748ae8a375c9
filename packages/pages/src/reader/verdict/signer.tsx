import type { PublisherFinding } from 'imprimatur-verifier';
import type { AnyVerdict } from '../asking/check.ts';

interface SignerProps {
  readonly verdict: AnyVerdict;
  /** What a domain says of the authority; `undefined` where none was asked. */
  readonly publisher: PublisherFinding | undefined;
}

const nobody =
  'Signer unknown: nobody vouches here for whose address this is. Compare it with the one that the publisher names elsewhere.';

/** Who attested: an address, and the domain that vouches for it. Names that somebody gives himself are not shown. */
export function Signer({ verdict, publisher }: SignerProps) {
  const { outcome, domain, unicodeDomain, reason } = publisher ?? {};
  return (
    <>
      <span class="mono">{verdict.reference.authorityAddress}</span>
      {outcome === 'vouches' && (
        <p>
          <strong>{domain}</strong>
          {unicodeDomain && <bdi> ({unicodeDomain})</bdi>} vouches for it.
        </p>
      )}
      <p class="hint">{reason ?? nobody}</p>
    </>
  );
}
