import {
  type AttestationReference,
  parseReference,
  ReferenceInvalidError,
  type Verdict,
  verify,
} from 'imprimatur-verifier';
import { revocationCall } from 'imprimatur-verifier/delegation';
import { useRef, useState } from 'preact/hooks';
import { formatTime } from '../../shared/date-format.ts';
import { Fact } from '../../shared/fact.tsx';
import { Choice, Field } from '../../shared/form-fields.tsx';
import { type Action, ActionStatus, useAction } from '../action/use-action.tsx';
import type { Connection } from '../wallet/use-wallet.ts';

interface RevocationCardProps {
  readonly connection: Connection;
  readonly reference: string;
}

export function RevocationCard({ connection, reference }: RevocationCardProps) {
  const [line, setLine] = useState(reference);
  const { account, chainId } = connection;
  return (
    <details class="card" open={reference !== ''}>
      <summary>Revoke an attestation</summary>
      <p>
        Revokes one attestation that was made in your name in the last 7 days. The delegation does not change.
      </p>
      {/* The key resets the result when the chain or the account changes. The typed text stays. */}
      <AttestationLookup
        key={JSON.stringify([chainId, account])}
        connection={connection}
        line={line}
        onChange={setLine}
      />
    </details>
  );
}

interface AttestationLookupProps {
  readonly connection: Connection;
  readonly line: string;
  readonly onChange: (line: string) => void;
}

function AttestationLookup({ connection, line, onChange }: AttestationLookupProps) {
  const [found, setFound] = useState<Verdict>();
  const [problem, setProblem] = useState<string>();
  const action = useAction();
  /** Number of the current request or input. The page drops answers to earlier ones. */
  const latestRequest = useRef(0);
  const reset = () => {
    setFound(undefined);
    setProblem(undefined);
    return ++latestRequest.current;
  };
  const runLookup = async () => {
    const request = reset();
    const answer = await findAttestation(connection, line);
    if (request !== latestRequest.current) return;
    if (typeof answer === 'string') setProblem(answer);
    else setFound(answer);
  };
  const change = (text: string) => {
    onChange(text);
    reset();
  };
  return (
    <>
      <Field id="reference" label="Attestation" size="line" value={line} onInput={change} problem={problem}>
        The reference (eip155:…) in the article's proof file or page
      </Field>
      <div class="actions">
        <button type="button" disabled={line.trim() === '' || action.isBusy} onClick={() => void runLookup()}>
          Look up
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
  readonly action: Action;
  readonly onMined: () => void;
}

function Confirmation({ connection, verdict, action, onMined }: ConfirmationProps) {
  const [isConfirmed, setConfirmed] = useState(false);
  const { attestation } = verdict;
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = verdict.reference;
  // The wallet must be on the chain and account of the attestation.
  const target = { ...connection, chainId, account: authorityAddress };
  const revoke = () =>
    action.send(target, revocationCall(registryAddress, attestationIndex), {
      done: 'The attestation is revoked.',
      isDone: () => isRevoked(connection, verdict.reference),
      onMined,
    });
  return (
    <>
      <dl class="facts">
        <Fact label="Text" isMono>
          {contentCid}
        </Fact>
        <Fact label="Authority" isMono>
          {authorityAddress}
        </Fact>
        {attestation && <Fact label="Attested">{formatTime(attestation.attestedAt)}</Fact>}
      </dl>
      <p class="problem">
        <strong>This cannot be undone.</strong> Everyone who checks the text sees that it was revoked, and the
        same text can never be attested in your name again. To correct a text, attest the new version and link
        it instead.
      </p>
      <Choice label="I understand that this is permanent" isChosen={isConfirmed} onChoice={setConfirmed} />
      <div class="actions">
        <button type="button" class="danger" disabled={!isConfirmed || action.isBusy} onClick={revoke}>
          Revoke permanently
        </button>
      </div>
    </>
  );
}

function verifyWithWallet({ wallet: { provider, name } }: Connection, reference: AttestationReference) {
  const node = { name, request: (call: never) => provider.request(call) };
  return verify(reference, { providers: [node] });
}

/** Reads an attestation through the wallet. @returns the reason if it cannot be revoked */
async function findAttestation(connection: Connection, line: string): Promise<Verdict | string> {
  try {
    const reference = parseReference(line);
    if (reference.chainId !== connection.chainId)
      return `The attestation is on chain ${reference.chainId}. Switch the wallet to that network first.`;
    const verdict = await verifyWithWallet(connection, reference);
    const isRevocable = verdict.outcome === 'verified' || verdict.outcome === 'superseded';
    return isRevocable ? verdict : verdict.reason;
  } catch (error) {
    if (error instanceof ReferenceInvalidError) return error.message;
    throw error;
  }
}

/** Whether the newest block of the wallet's node shows the revocation. */
const isRevoked = async (connection: Connection, reference: AttestationReference): Promise<boolean> =>
  (await verifyWithWallet(connection, reference)).outcome === 'revoked';
