import {
  type AttestationReference,
  parseReference,
  ReferenceInvalidError,
  type Verdict,
  verify,
} from 'imprimatur-verifier';
import { revocationCall } from 'imprimatur-verifier/delegation';
import { useRef, useState } from 'preact/hooks';
import { Choice, Fact, Field } from '../../shared/fields.tsx';
import { formatTime } from '../../shared/format.ts';
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
  /** Number of the current request or input. Answers to earlier ones are dropped. */
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
    if (typeof answer === 'string') setProblem(answer);
    else setFound(answer);
  };
  const change = (text: string) => {
    onChange(text);
    forget();
  };
  return (
    <>
      <Field id="reference" label="Attestation" look="line" value={line} onInput={change} problem={problem}>
        The reference (eip155:…) in the article's proof file or page
      </Field>
      <div class="actions">
        <button type="button" disabled={line.trim() === '' || action.isBusy} onClick={() => void look()}>
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
  const [isSure, setSure] = useState(false);
  const { attestation } = verdict;
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = verdict.reference;
  // The wallet must be on the chain and account of the attestation.
  const there = { ...connection, chainId, account: authorityAddress };
  const revoke = () =>
    action.send(there, revocationCall(registryAddress, attestationIndex), {
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
      <Choice label="I understand that this is permanent" isChosen={isSure} onChoice={setSure} />
      <div class="actions">
        <button type="button" class="danger" disabled={!isSure || action.isBusy} onClick={revoke}>
          Revoke permanently
        </button>
      </div>
    </>
  );
}

function lookUp({ wallet: { provider, name } }: Connection, reference: AttestationReference) {
  const node = { name, request: (question: never) => provider.request(question) };
  return verify(reference, { providers: [node] });
}

/** Reads an attestation through the wallet. @returns a text if it cannot be revoked */
async function findAttestation(connection: Connection, line: string): Promise<Verdict | string> {
  try {
    const reference = parseReference(line);
    if (reference.chainId !== connection.chainId)
      return `The attestation is on chain ${reference.chainId}. Switch the wallet to that network first.`;
    const verdict = await lookUp(connection, reference);
    const isRevocable = verdict.outcome === 'verified' || verdict.outcome === 'superseded';
    return isRevocable ? verdict : verdict.reason;
  } catch (error) {
    if (error instanceof ReferenceInvalidError) return error.message;
    throw error;
  }
}

/** Whether the newest block of the wallet's node shows the revocation. */
const isRevoked = async (connection: Connection, reference: AttestationReference): Promise<boolean> =>
  (await lookUp(connection, reference)).outcome === 'revoked';
