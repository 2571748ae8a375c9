import type { AnyVerdict } from '../asking/check.ts';

/**
 * Who attested. Until a domain is bound to the authority by its own signature nobody vouches for an address, and no
 * verdict is green.
 */
export function Signer({ verdict }: { readonly verdict: AnyVerdict }) {
  const { authorityAddress } = verdict.reference;
  return (
    <>
      <span class="mono">{authorityAddress}</span>
      <p class="hint">
        Signer unknown: nobody vouches here for whose address this is. Compare it with the one that the
        publisher names elsewhere.
      </p>
    </>
  );
}
