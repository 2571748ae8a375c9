import type { Verdict } from 'imprimatur-verifier';
import { revocationCall } from 'imprimatur-verifier/delegation';
import { useRef, useState } from 'preact/hooks';
import { ActionStatus } from '../action/action-status.tsx';
import { useAction } from '../action/use-action.ts';
import { momentText } from '../delegation/moment.ts';
import { TextField } from '../target/text-field.tsx';
import type { Connection } from '../wallet/use-wallet.ts';
import { findAttestation } from './find-attestation.ts';
import { isRevoked } from './is-revoked.ts';

interface RevocationCardProps {
  readonly connection: Connection;
  /** Reference that the link names. */
  readonly reference: string;
}

/** Card in which an authority withdraws an attestation. */
export function RevocationCard({ connection, reference }: RevocationCardProps) {
  const [line, setLine] = useState(reference);
  const { account, chainId } = connection;
  return (
    <details class="card" open={reference !== ''}>
      <summary>Revoke an attestation</summary>
      <p>
        Withdraws one text that was attested in your name in the last 7 days. The delegation stays as it is.
      </p>
      {/* What was found and confirmed on one chain is another attestation elsewhere; what was typed stays. */}
      <LookUp
        key={JSON.stringify([chainId, account])}
        connection={connection}
        line={line}
        onChange={setLine}
      />
    </details>
  );
}

interface LookUpProps {
  readonly connection: Connection;
  readonly line: string;
  readonly onChange: (line: string) => void;
}

function LookUp({ connection, line, onChange }: LookUpProps) {
  const [found, setFound] = useState<Verdict>();
  const [problem, setProblem] = useState<string>();
  const action = useAction();
  /** Counts what was asked and typed, so that an answer to what was asked before is dropped. */
  const round = useRef(0);
  const forget = () => {
    setFound(undefined);
    setProblem(undefined);
    return ++round.current;
  };
  const look = async () => {
    const asked = forget();
    const answer = await findAttestation(connection, line);
    if (asked !== round.current) return;
    if ('verdict' in answer) setFound(answer.verdict);
    else setProblem(answer.problem);
  };
  const change = (text: string) => {
    onChange(text);
    forget();
  };
  return (
    <>
      <TextField
        id="reference"
        label="Attestation"
        value={line}
        onChange={change}
        hint="eip155:…, as in the article's proof file or its page"
        problem={problem}
      />
      <div class="actions">
        <button type="button" disabled={line.trim() === '' || action.isBusy} onClick={() => void look()}>
          Look it up
        </button>
      </div>
      {found && (
        <Confirmation
          connection={connection}
          verdict={found}
          action={action}
          onMined={() => setFound(undefined)}
        />
      )}
      <ActionStatus state={action.state} />
    </>
  );
}

interface ConfirmationProps {
  readonly connection: Connection;
  readonly verdict: Verdict;
  readonly action: ReturnType<typeof useAction>;
  readonly onMined: () => void;
}

function Confirmation({ connection, verdict, action, onMined }: ConfirmationProps) {
  const [isSure, setSure] = useState(false);
  const { attestation } = verdict;
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = verdict.reference;
  // The wallet must be where the found attestation is, whatever the page took it for.
  const there = { ...connection, chainId, account: authorityAddress };
  const revoke = () =>
    action.send(there, revocationCall(registryAddress, attestationIndex), {
      done: 'The attestation is revoked.',
      isDone: () => isRevoked(connection.wallet.provider, verdict.reference),
      onMined,
    });
  return (
    <>
      <dl class="facts">
        <dt>Text</dt>
        <dd class="mono">{contentCid}</dd>
        <dt>Authority</dt>
        <dd class="mono">{authorityAddress}</dd>
        {attestation && (
          <>
            <dt>Attested</dt>
            <dd>{momentText(attestation.attestedAt)}</dd>
          </>
        )}
      </dl>
      <p class="problem">
        <strong>This cannot be undone.</strong> Everybody who checks the text is told that it was withdrawn,
        and the same text can never be attested in your name again. To correct a text, attest the new one and
        link it instead.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={isSure}
          onChange={({ currentTarget }) => setSure(currentTarget.checked)}
        />
        I understand that it is for good
      </label>
      <div class="actions">
        <button type="button" class="danger" disabled={!isSure || action.isBusy} onClick={revoke}>
          Revoke it for good
        </button>
      </div>
    </>
  );
}
