import { Shell } from '../shared/shell.tsx';

/** The reader's page. */
export function Reader() {
  return (
    <Shell
      title="Check an attestation"
      lede="Has this text changed since it was attested? This page asks the chain, and nobody else."
      footer="Nothing that you paste or choose leaves this page."
    >
      <p class="card">Coming.</p>
    </Shell>
  );
}
