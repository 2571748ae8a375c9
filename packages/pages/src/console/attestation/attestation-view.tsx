import { type Attestation, referenceOf } from 'imprimatur-client';
import { formatChain } from '../../shared/chain-format.ts';
import { Fact } from '../../shared/fact.tsx';
import type { Submitted } from '../attest/submit.ts';
import { isPending, isUnfinished, StatusBadge, statusNames } from '../list/status-badge.tsx';
import { ErrorAlert } from '../session/error-alert.tsx';
import { OutsideLink } from '../session/outside-link.tsx';
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
  readonly submitted: Submitted | undefined;
}

function noticeOf({ created }: Submitted, attestation: Attestation): string | undefined {
  if (!created)
    return 'The service has this text already. This is its attestation, whose URL stays unchanged.';
  if (!isPending(attestation)) return undefined;
  return 'The service accepted the text. You can close this page: the service continues.';
}

export function AttestationView({ id, submitted }: AttestationViewProps) {
  const { client } = useSession();
  const {
    value: attestation,
    error,
    refresh,
  } = useRefreshed([client, id], {
    load: (signal) => client.get(id, { signal }),
    isUnfinished,
  });
  const notice = submitted && attestation && noticeOf(submitted, attestation);
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
      <p role="status" class="visually-hidden">
        {attestation ? statusNames[attestation.status] : 'Loading…'}
      </p>
      <ErrorAlert error={error} onRetry={refresh} />
      {attestation && (
        <section class="card" aria-labelledby="attestation">
          <h2 id="attestation">
            Attestation <StatusBadge {...attestation} />
          </h2>
          <dl class="facts">
            {url && (
              <Fact label="URL">
                <OutsideLink href={url}>
                  <bdi>{url}</bdi>
                </OutsideLink>
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
          <PublishCard id={id} reference={referenceOf(confirmed)} attestation={attestation} />
          <Corrections attestation={attestation} />
          <QuoteCard id={id} />
        </>
      )}
    </>
  );
}
