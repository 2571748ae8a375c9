import type { Attestation, ImprimaturClient } from 'imprimatur-client';
import { formatIsoTime } from '../../shared/date-format.ts';
import { isLinkPending, isPending, StatusBadge } from '../list/status-badge.tsx';
import { ErrorAlert } from '../session/error-alert.tsx';
import { useChain, useSession } from '../session/session.ts';
import { useRefreshed } from '../session/use-refreshed.ts';
import { TransactionLink } from './timeline.tsx';

/** Limits the list, because each correction takes one request. */
const maxCorrections = 20;

/** Reads the corrections of an attestation, oldest first. */
async function readCorrections(client: ImprimaturClient, first: Attestation, signal: AbortSignal) {
  const corrections: Attestation[] = [];
  const ids = new Set([first.id]);
  let id = first.childAttestationId;
  while (id !== null && !ids.has(id) && corrections.length < maxCorrections) {
    ids.add(id);
    const correction = await client.get(id, { signal });
    corrections.push(correction);
    id = correction.childAttestationId;
  }
  return corrections;
}

export function Corrections({ attestation }: { readonly attestation: Attestation }) {
  const { client } = useSession();
  const { id, childAttestationId, childLinkTxHash, childLinkError, chainId, revokedAt } = attestation;
  const { value: corrections = [], error } = useRefreshed([client, id, childAttestationId], {
    load: (signal) => readCorrections(client, attestation, signal),
    isUnfinished: (read) => read.some(isPending),
  });
  const chain = useChain(chainId);
  return (
    <section class="card" aria-labelledby="corrections">
      <h2 id="corrections">Corrections</h2>
      <ErrorAlert error={error} />
      {childAttestationId === null && !revokedAt && <p>Readers see this text as the current one.</p>}
      {isLinkPending(attestation) && <p>The link to the correction is pending.</p>}
      {childLinkError && (
        <p class="outcome bad">The link failed: {childLinkError}. Submit the correction again.</p>
      )}
      {childLinkTxHash !== null && <p>Readers of this text find the newer ones:</p>}
      {corrections.length > 0 && (
        <ol>
          {corrections.map((correction) => (
            <li key={correction.id}>
              <a href={`#${correction.id}`}>Text of {formatIsoTime(correction.createdAt)}</a>{' '}
              <StatusBadge {...correction} />
            </li>
          ))}
        </ol>
      )}
      {corrections.length === maxCorrections && <p class="hint">There may be more. Open the last one.</p>}
      <p class="hint">
        <TransactionLink txHash={childLinkTxHash} chain={chain} />
      </p>
      <p class="actions">
        <a class="button" href={`#${id}/correct`}>
          Correct this text
        </a>
      </p>
    </section>
  );
}
