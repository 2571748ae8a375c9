import {
  type AttestationReference,
  type Corrections,
  formatReference,
  isoTime,
  type PublisherFinding,
} from 'imprimatur-verifier';
import { formatChain } from '../../shared/chain-format.ts';
import { formatTime } from '../../shared/date-format.ts';
import { Fact } from '../../shared/fact.tsx';
import type { AnyVerdict } from '../source/chain-source.ts';

interface FactsProps {
  readonly verdict: AnyVerdict;
  /** Whether a domain vouches for the authority; `undefined` if no domain was checked. */
  readonly publisher: PublisherFinding | undefined;
}

function Time({ seconds }: { readonly seconds: number }) {
  return <time dateTime={isoTime(seconds)}>{formatTime(seconds)}</time>;
}

function FirstAttester({ verdict: { firstAttestedBy } }: { readonly verdict: AnyVerdict }) {
  if (!firstAttestedBy)
    return <>This authority. Nobody attested the same content earlier in this registry.</>;
  const { authorityAddress, attestedAt, revokedAt } = firstAttestedBy;
  return (
    <>
      Another authority, <span class="mono">{authorityAddress}</span>, on <Time seconds={attestedAt} />
      {revokedAt > 0 && (
        <>
          . It revoked its attestation on <Time seconds={revokedAt} />
        </>
      )}
    </>
  );
}

function Times({ verdict }: { readonly verdict: AnyVerdict }) {
  const { attestation, notYetFinal } = verdict;
  if (!attestation) return null;
  const { attestedAt, revokedAt, revealBlock } = attestation;
  const depth =
    revealBlock && (revealBlock.depth === 1 ? 'the newest block' : `${revealBlock.depth} blocks deep`);
  return (
    <>
      <Fact label="Attested">
        <Time seconds={attestedAt} />
      </Fact>
      {revokedAt > 0 && (
        <Fact label="Revoked">
          <Time seconds={revokedAt} />
        </Fact>
      )}
      <Fact label="Block">
        {revealBlock && `${revealBlock.number}, ${depth}; `}
        {notYetFinal
          ? `not final yet: a reorg may remove the ${revokedAt > 0 ? 'revocation' : 'attestation'}`
          : 'final'}
      </Fact>
    </>
  );
}

function Registry({ verdict: { registry, reference } }: { readonly verdict: AnyVerdict }) {
  const { version, codeIsKnown, codeHash, revealDelaySeconds } = registry ?? {};
  return (
    <>
      <span class="mono">{reference.registryAddress}</span> on {formatChain(reference.chainId)}
      {registry && (
        <p class="hint">
          {version ?? 'Unknown registry'}
          {version && !codeIsKnown && ', recognized by its address; its code was not compared'}
          {revealDelaySeconds !== undefined && `, at least ${revealDelaySeconds} s between commit and reveal`}
          . Code hash: <span class="mono">{codeHash}</span>
        </p>
      )}
    </>
  );
}

const quoteRootText = (holds: boolean) =>
  holds ? 'matches the text' : 'does not match the text, so it cannot prove quotes';

const signerUnknownText =
  'Signer unknown: no domain was checked for this address. Compare it with the address that the publisher names elsewhere.';

/** The authority's address, and the domain that vouches for it. Does not show names that anyone can choose. */
function Signer({ verdict, publisher }: FactsProps) {
  const { outcome, domain, unicodeDomain, reason } = publisher ?? {};
  return (
    <>
      <span class="mono">{verdict.reference.authorityAddress}</span>
      {outcome === 'vouches' && (
        <p>
          <strong>{domain}</strong>
          {unicodeDomain && <bdi> ({unicodeDomain})</bdi>} vouches for this address.
        </p>
      )}
      <p class="hint">{reason ?? signerUnknownText}</p>
    </>
  );
}

interface CorrectionListProps {
  readonly reference: AttestationReference;
  readonly corrections: Corrections;
}

function CorrectionList({ reference, corrections: { followed, unfollowedCid } }: CorrectionListProps) {
  if (followed.length === 0)
    return (
      <>
        {unfollowedCid === undefined
          ? 'None: this is the newest version.'
          : 'The attestation names a correction that could not be followed.'}
      </>
    );
  return (
    <ol class="corrections">
      {followed.map(({ contentCid, registryAddress, attestationIndex, attestedAt }) => (
        <li key={`${registryAddress}/${attestationIndex}`}>
          <Time seconds={attestedAt} />:{' '}
          <a
            class="mono"
            href={`#${formatReference({ ...reference, contentCid, registryAddress, attestationIndex })}`}
          >
            {contentCid}
          </a>
        </li>
      ))}
    </ol>
  );
}

export function Facts({ verdict, publisher }: FactsProps) {
  const { reference, attestation, block, quoteRootHolds, corrections } = verdict;
  // If the text is different, so is its quote root.
  const isCompared = quoteRootHolds !== undefined && verdict.text?.isContent !== false;
  return (
    <dl class="facts">
      <Times verdict={verdict} />
      <Fact label="Attested by">
        <Signer verdict={verdict} publisher={publisher} />
      </Fact>
      {attestation && (
        <Fact label="First attested by">
          <FirstAttester verdict={verdict} />
        </Fact>
      )}
      {corrections && (
        <Fact label="Corrections">
          <CorrectionList reference={reference} corrections={corrections} />
        </Fact>
      )}
      {isCompared && <Fact label="Quote root">{quoteRootText(quoteRootHolds === true)}</Fact>}
      <Fact label="Attestation">number {reference.attestationIndex} in the registry</Fact>
      <Fact label="Registry">
        <Registry verdict={verdict} />
      </Fact>
      <Fact label="Content (CID)">
        <span class="mono">{reference.contentCid}</span>
      </Fact>
      {block && (
        <Fact label="Read at">
          block {block.number}, <Time seconds={block.timestamp} />
          <p class="hint mono">{block.hash}</p>
        </Fact>
      )}
      <Fact label="Reference">
        <span class="mono">{formatReference(reference)}</span>
      </Fact>
    </dl>
  );
}
