import { type AttestationReference, type Corrections, formatReference } from 'imprimatur-verifier';
import { Moment } from './moment.tsx';

interface CorrectionListProps {
  readonly reference: AttestationReference;
  readonly corrections: Corrections;
}

/** The corrections that were followed, each with a link that checks it. */
export function CorrectionList({ reference, corrections: { followed, unfollowedCid } }: CorrectionListProps) {
  if (followed.length === 0)
    return (
      <>
        {unfollowedCid === undefined ? 'None: this is the newest version.' : 'Named, but not to be followed.'}
      </>
    );
  return (
    <ol class="corrections">
      {followed.map(({ contentCid, registryAddress, attestationIndex, attestedAt }) => (
        <li key={`${registryAddress}/${attestationIndex}`}>
          <Moment seconds={attestedAt} />:{' '}
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
