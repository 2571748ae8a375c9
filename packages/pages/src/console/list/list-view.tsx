import type { Attestation, AttestationFilter } from 'imprimatur-client';
import { useState } from 'preact/hooks';
import { formatChain } from '../../shared/chain-format.ts';
import { formatTime } from '../../shared/date-format.ts';
import { ErrorAlert } from '../session/error-alert.tsx';
import { useSession } from '../session/session.ts';
import { useRefreshed } from '../session/use-refreshed.ts';
import { Filters } from './filters.tsx';
import { isUnfinished, StatusBadge } from './status-badge.tsx';

const pageSize = 25;

interface Shown {
  readonly filter: AttestationFilter;
  /** Cursors of the pages up to the shown one; empty on the first page. */
  readonly cursors: readonly string[];
}

export function ListView() {
  const { client } = useSession();
  const [shown, setShown] = useState<Shown>({ filter: {}, cursors: [] });
  const { filter, cursors } = shown;
  const page = useRefreshed([client, shown], {
    load: (signal) => client.list({ ...filter, limit: pageSize, cursor: cursors.at(-1), signal }),
    isUnfinished: ({ attestations }) => attestations.some(isUnfinished),
  });
  const { value } = page;
  const turnTo = (next: readonly string[]) => setShown({ filter, cursors: next });
  return (
    <section class="card" aria-labelledby="list">
      <div class="heading">
        <h2 id="list">Your attestations</h2>
        <a class="button" href="#attest">
          Attest a text
        </a>
      </div>
      <Filters onFilter={(next) => setShown({ filter: next, cursors: [] })} />
      <ErrorAlert error={page.error} onRetry={page.refresh} />
      {!value && page.error === undefined && <p role="status">Loading…</p>}
      {value && value.attestations.length === 0 && (
        <NoAttestations hasMore={value.nextCursor !== undefined} />
      )}
      {value && value.attestations.length > 0 && (
        <ul class="attestations">
          {value.attestations.map((attestation) => (
            <Row key={attestation.id} attestation={attestation} />
          ))}
        </ul>
      )}
      <nav class="actions" aria-label="Pages">
        {cursors.length > 0 && (
          <button type="button" onClick={() => turnTo(cursors.slice(0, -1))}>
            Newer
          </button>
        )}
        {value?.nextCursor !== undefined && (
          <button type="button" onClick={() => turnTo([...cursors, value.nextCursor ?? ''])}>
            Older
          </button>
        )}
      </nav>
    </section>
  );
}

function NoAttestations({ hasMore }: { readonly hasMore: boolean }) {
  return <p>{hasMore ? 'None on this page. There may be some on older pages.' : 'There are none.'}</p>;
}

/** The URL without its scheme, or the CID: the service does not return titles. */
const titleOf = ({ url, contentCid }: Attestation) => url?.replace(/^https?:\/\//i, '') ?? contentCid;

function Row({ attestation }: { readonly attestation: Attestation }) {
  const { id, chainId, createdAt, childAttestationId, childLinkTxHash } = attestation;
  return (
    <li>
      <a class="title" href={`#${id}`}>
        <bdi>{titleOf(attestation)}</bdi>
      </a>
      <p class="hint">
        <StatusBadge {...attestation} /> {formatTime(Date.parse(createdAt) / 1000)}, {formatChain(chainId)}
        {childAttestationId !== null && (childLinkTxHash === null ? ', correction pending' : ', corrected')}
      </p>
    </li>
  );
}
