import { formatReference, type PublisherFinding } from 'imprimatur-verifier';
import type { ComponentChildren } from 'preact';
import type { AnyVerdict } from '../asking/check.ts';
import { CorrectionList } from './correction-list.tsx';
import { Moment } from './moment.tsx';
import { Signer } from './signer.tsx';
import { chainWords } from './words.ts';

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

export function Fact({ name, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function FirstAttester({ verdict: { firstAttestedBy } }: { readonly verdict: AnyVerdict }) {
  if (!firstAttestedBy) return <>This authority: nobody attested the same content before in this registry.</>;
  const { authorityAddress, attestedAt, revokedAt } = firstAttestedBy;
  return (
    <>
      Another authority, <span class="mono">{authorityAddress}</span>, at <Moment seconds={attestedAt} />
      {revokedAt > 0 && (
        <>
          , which withdrew it at <Moment seconds={revokedAt} />
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
      <Fact name="Attested">
        <Moment seconds={attestedAt} />
      </Fact>
      {revokedAt > 0 && (
        <Fact name="Withdrawn">
          <Moment seconds={revokedAt} />
        </Fact>
      )}
      <Fact name="Block">
        {revealBlock && `${revealBlock.number}, ${depth}; `}
        {notYetFinal ? 'not known to be final: a reorganisation may undo it' : 'final'}
      </Fact>
    </>
  );
}

function Registry({ verdict: { registry, reference } }: { readonly verdict: AnyVerdict }) {
  const { version, codeIsKnown, codeHash, revealDelaySeconds } = registry ?? {};
  return (
    <>
      <span class="mono">{reference.registryAddress}</span> on {chainWords(reference.chainId)}
      {registry && (
        <p class="hint">
          {version ?? 'No registry that is known here'}
          {version && !codeIsKnown && ', known by its address; its code is not compared'}
          {revealDelaySeconds !== undefined && `, at least ${revealDelaySeconds} s between commit and reveal`}
          . Hash of its code: <span class="mono">{codeHash}</span>
        </p>
      )}
    </>
  );
}

const quoteRootWords = (holds: boolean) => (holds ? 'holds' : 'is another: quotes cannot be proven by it');

interface FactsProps {
  readonly verdict: AnyVerdict;
  readonly publisher: PublisherFinding | undefined;
}

/** What was checked, and found. */
export function Facts({ verdict, publisher }: FactsProps) {
  const { reference, attestation, block, quoteRootHolds, corrections } = verdict;
  // Of another text it is another, which says nothing.
  const isCompared = quoteRootHolds !== undefined && verdict.text?.isContent !== false;
  return (
    <dl class="facts">
      <Times verdict={verdict} />
      <Fact name="By">
        <Signer verdict={verdict} publisher={publisher} />
      </Fact>
      {attestation && (
        <Fact name="First attested by">
          <FirstAttester verdict={verdict} />
        </Fact>
      )}
      {corrections && (
        <Fact name="Corrections">
          <CorrectionList reference={reference} corrections={corrections} />
        </Fact>
      )}
      {isCompared && <Fact name="Quote root">{quoteRootWords(quoteRootHolds === true)}</Fact>}
      <Fact name="Attestation">number {reference.attestationIndex} of the registry</Fact>
      <Fact name="Registry">
        <Registry verdict={verdict} />
      </Fact>
      <Fact name="Content (CID)">
        <span class="mono">{reference.contentCid}</span>
      </Fact>
      {block && (
        <Fact name="Read at">
          block {block.number} of <Moment seconds={block.timestamp} />
          <p class="hint mono">{block.hash}</p>
        </Fact>
      )}
      <Fact name="Reference">
        <span class="mono">{formatReference(reference)}</span>
      </Fact>
    </dl>
  );
}
