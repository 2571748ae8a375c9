import type { Address } from 'imprimatur-verifier';
import { useState } from 'preact/hooks';
import { CopyField } from '../../shared/copy-field.tsx';
import { ActionStatus, useAction } from '../action/use-action.tsx';
import type { DelegationCardProps } from './delegation-card.tsx';
import { signDelegation } from './sign-delegation.ts';

/** Days until the signature expires. */
const days = 7;

export function SignCard({ connection, target, current }: DelegationCardProps) {
  const action = useAction();
  const [file, setFile] = useState<string>();
  const { query, state } = current;
  const { delegateAddress } = target;
  if (!query || state?.nonce === undefined) return null;
  const sign = (to: Address | undefined) => {
    setFile(undefined);
    action.run('Sign in your wallet.', async () => {
      setFile(await signDelegation(connection, query, to, days));
      return `The wallet signed. The signature is valid for ${days} days, or until the delegation changes in another way.`;
    });
  };
  return (
    <details class="card">
      <summary>Sign instead, without paying gas</summary>
      <p>
        You sign, and someone else, such as the operator of your service, sends the transaction and pays for
        it. The file contains no secret and has no other use.
      </p>
      <div class="actions">
        {delegateAddress && (
          <button type="button" disabled={action.isBusy} onClick={() => sign(delegateAddress)}>
            Sign the delegation
          </button>
        )}
        <button type="button" disabled={action.isBusy} onClick={() => sign(undefined)}>
          Sign the revocation
        </button>
      </div>
      <ActionStatus state={action.state} />
      {file && (
        <>
          <CopyField label="Signed delegation" text={file} fileName="delegation.json" />
          <p class="hint">
            To send it, the operator runs: admin delegation submit delegation.json --key-file FILE
          </p>
        </>
      )}
    </details>
  );
}
