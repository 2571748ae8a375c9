import { referenceOf } from 'imprimatur-client';
import { formatChain } from '../../shared/chain-format.ts';
import { Fact } from '../../shared/fact.tsx';
import { isUnfinished, StatusBadge } from '../list/status-badge.tsx';
import { ErrorAlert } from '../session/error-alert.tsx';
import { webLink } from '../session/page-links.ts';
import { useSession } from '../session/session.ts';
import { useRefreshed } from '../session/use-refreshed.ts';
import { Corrections } from './corrections.tsx';
import { PublishCard } from './publish-card.tsx';
import { QuoteCard } from './quote-card.tsx';
import { Timeline } from './timeline.tsx';

interface AttestationViewProps {
  readonly id: string;
  /** Result of the submission that led here. */
  readonly notice: string | undefined;
}

export function AttestationView({ id, notice }: AttestationViewProps) {
  const { client } = useSession();
  const {
    value: attestation,
    error,
    refresh,
  } = useRefreshed([client, id], {
    load: (signal) => client.get(id, { signal }),
    isUnfinished,
  });
  const url = webLink(attestation?.url);
  const { attestationIndex } = attestation ?? {};
  const confirmed =
    attestation && attestationIndex !== undefined ? { ...attestation, attestationIndex } : undefined;
  return (
    <>
      <p>
        <a href="#attestations">All attestations</a>
      </p>
      <p role="status" class={notice ? 'outcome fair' : undefined}>
        {notice}
      </p>
      <ErrorAlert error={error} onRetry={refresh} />
      {!attestation && error === undefined && <p role="status">Loading…</p>}
      {attestation && (
        <section class="card" aria-labelledby="attestation">
          <h2 id="attestation">
            Attestation <StatusBadge {...attestation} />
          </h2>
          <dl class="facts">
            {url && (
              <Fact label="URL">
                <a href={url} target="_blank" rel="noopener noreferrer">
                  <bdi>{url}</bdi>
                </a>
              </Fact>
            )}
            <Fact label="CID" isMono>
              {attestation.contentCid}
            </Fact>
            <Fact label="Chain">{formatChain(attestation.chainId)}</Fact>
            <Fact label="Authority" isMono>
              {attestation.authorityAddress}
            </Fact>
          </dl>
          <Timeline attestation={attestation} />
          {attestation.revokedAt && (
            <p class="outcome bad">Your authority revoked this attestation. Readers see it as withdrawn.</p>
          )}
        </section>
      )}
      {attestation?.status === 'confirmed' && confirmed && (
        <>
          <PublishCard key={id} id={id} reference={referenceOf(confirmed)} attestation={attestation} />
          <Corrections attestation={attestation} />
          <QuoteCard key={`quote-${id}`} id={id} />
        </>
      )}
    </>
  );
}
