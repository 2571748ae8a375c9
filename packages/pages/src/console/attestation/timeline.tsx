import type { Attestation, Chain } from 'imprimatur-client';
import { useEffect, useState } from 'preact/hooks';
import { formatDuration, formatIsoTime } from '../../shared/date-format.ts';
import { isPending } from '../list/status-badge.tsx';
import { OutsideLink } from '../session/outside-link.tsx';
import { webLink } from '../session/page-links.ts';
import { useChain } from '../session/session.ts';
import { useUsualDuration } from './usual-duration.ts';

type StepState = 'done' | 'current' | 'later' | 'failed';

const stateNames: Readonly<Record<StepState, string>> = {
  done: 'done',
  current: 'now',
  later: 'later',
  failed: 'failed',
};

interface Step {
  readonly name: string;
  readonly isDone: boolean;
  readonly explanation: string;
  readonly txHash?: string | undefined;
  readonly time?: string | undefined;
}

function stepsOf({ status, createdAt, commitTxHash, revealTxHash, confirmedAt }: Attestation): Step[] {
  const isConfirmed = status === 'confirmed';
  return [
    { name: 'Accepted', isDone: true, explanation: 'The service has the text.', time: createdAt },
    {
      name: 'Committed',
      isDone: isConfirmed || status === 'committed' || commitTxHash !== undefined,
      explanation: 'A hash that hides the text is on the chain.',
      txHash: commitTxHash,
    },
    {
      name: 'Revealed',
      isDone: isConfirmed || revealTxHash !== undefined,
      explanation: 'After a delay that prevents copying, the CID is public.',
      txHash: revealTxHash,
      time: confirmedAt,
    },
    {
      name: 'Confirmed',
      isDone: isConfirmed,
      explanation: 'The block is final. Anyone can verify the text.',
    },
  ];
}

export function Timeline({ attestation }: { readonly attestation: Attestation }) {
  const { status, chainId, error } = attestation;
  const chain = useChain(chainId);
  const steps = stepsOf(attestation);
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <>
      <ol class="timeline">
        {steps.map((step, index) => {
          const currentState = status === 'failed' ? 'failed' : 'current';
          const state = step.isDone ? 'done' : index === current ? currentState : 'later';
          return (
            <li key={step.name} class={state} aria-current={state === 'current' ? 'step' : undefined}>
              <div>
                <strong>{step.name}</strong> <span class="hint">({stateNames[state]})</span>
                <p class="hint">
                  {step.explanation}
                  {step.time && ` ${formatIsoTime(step.time)}.`}{' '}
                  <TransactionLink txHash={step.txHash} chain={chain} />
                </p>
              </div>
            </li>
          );
        })}
      </ol>
      {status === 'failed' && (
        <p class="outcome bad">
          The attestation failed and is not on the chain: {error}. You can attest the same text again.
        </p>
      )}
      {isPending(attestation) &&
        (attestation.revealTxHash ? (
          <p class="hint">The attestation is on the chain. Its block is not final yet.</p>
        ) : (
          <TimeLeft attestation={attestation} />
        ))}
    </>
  );
}

interface TransactionLinkProps {
  readonly txHash: string | null | undefined;
  readonly chain: Chain | undefined;
}

/** Links a transaction to the chain's explorer, if the service names one. */
export function TransactionLink({ txHash, chain }: TransactionLinkProps) {
  if (!txHash) return null;
  const explorer = webLink(chain?.explorerUrl)?.replace(/\/+$/, '');
  const words = `Transaction ${txHash.slice(0, 10)}…`;
  if (!explorer) return <span title={txHash}>{words}</span>;
  return <OutsideLink href={`${explorer}/tx/${txHash}`}>{words}</OutsideLink>;
}

function TimeLeft({ attestation: { chainId, createdAt } }: { readonly attestation: Attestation }) {
  const usual = useUsualDuration(chainId);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now), 1_000);
    return () => clearInterval(timer);
  }, []);
  const elapsed = (now - Date.parse(createdAt)) / 1000;
  const left = usual === undefined ? undefined : usual - elapsed;
  return (
    <p class="hint">
      {formatDuration(elapsed)} so far.{' '}
      {left !== undefined &&
        (left > 0
          ? `About ${formatDuration(left)} until the reveal, judging by recent texts.`
          : 'This takes longer than for recent texts. The service continues even if you close this page.')}
    </p>
  );
}
