import type { Attestation } from 'imprimatur-client';
import { formatChain } from '../../shared/chain-format.ts';
import { formatIsoTime } from '../../shared/date-format.ts';
import { ErrorAlert } from '../session/error-alert.tsx';
import { useSession } from '../session/session.ts';
import { useRefreshed } from '../session/use-refreshed.ts';
import { type Entered, Filters, filterOf, noFilter } from './filters.tsx';
import { isLinkPending, isUnfinished, StatusBadge } from './status-badge.tsx';

const pageSize = 25;

/** The shown part of the list. */
export interface ListState {
  readonly filters: Entered;
  /** Cursors of the pages up to the shown one; empty on the first page. */
  readonly cursors: readonly string[];
}

export const wholeList: ListState = { filters: noFilter, cursors: [] };

interface ListViewProps {
  readonly state: ListState;
  onState(state: ListState): void;
}

export function ListView({ state, onState }: ListViewProps) {
  const { client } = useSession();
  const { filters, cursors } = state;
  const page = useRefreshed([client, state], {
    load: (signal) => client.list({ ...filterOf(filters), limit: pageSize, cursor: cursors.at(-1), signal }),
    isUnfinished: ({ attestations }) => attestations.some(isUnfinished),
  });
  const { value, isLoading } = page;
  const turnTo = (next: readonly string[]) => onState({ filters, cursors: next });
  return (
    <section class="card" aria-labelledby="list" aria-busy={isLoading}>
      <div class="heading">
        <h2 id="list">Your attestations</h2>
        <a class="button" href="#attest">
          Attest a text
        </a>
      </div>
      <Filters applied={filters} onApply={(next) => onState({ filters: next, cursors: [] })} />
      <ErrorAlert error={page.error} onRetry={page.refresh} />
      <p role="status" class={value ? 'visually-hidden' : undefined}>
        {isLoading ? 'Loading…' : countText(value?.attestations.length)}
      </p>
      {value && value.attestations.length === 0 && !isLoading && (
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
          <button
            type="button"
            aria-disabled={isLoading}
            onClick={() => isLoading || turnTo([...cursors, value.nextCursor ?? ''])}
          >
            Older
          </button>
        )}
      </nav>
    </section>
  );
}

const countText = (count: number | undefined) =>
  count === undefined ? '' : `${count} ${count === 1 ? 'attestation' : 'attestations'} on this page`;

function NoAttestations({ hasMore }: { readonly hasMore: boolean }) {
  return <p>{hasMore ? 'None on this page. There may be some on older pages.' : 'There are none.'}</p>;
}

/** The URL without its scheme, or the CID: the service does not return titles. */
const titleOf = ({ url, contentCid }: Attestation) => url?.replace(/^https?:\/\//i, '') ?? contentCid;

/** Text about the link to a correction, after the chain's name. */
function correctionText(attestation: Attestation): string {
  if (attestation.childAttestationId === null) return '';
  if (attestation.childLinkTxHash !== null) return ', corrected';
  return isLinkPending(attestation) ? ', correction pending' : ', link to the correction failed';
}

function Row({ attestation }: { readonly attestation: Attestation }) {
  const { id, chainId, createdAt } = attestation;
  return (
    <li>
      <a class="title" href={`#${id}`}>
        <bdi>{titleOf(attestation)}</bdi>
      </a>
      <p class="hint">
        <StatusBadge {...attestation} /> {formatIsoTime(createdAt)}, {formatChain(chainId)}
        {correctionText(attestation)}
      </p>
    </li>
  );
}
