import type { Address } from 'imprimatur-verifier';
import { delegationCall, readDelegation } from 'imprimatur-verifier/delegation';
import { Alert, Fact } from '../../shared/fields.tsx';
import { formatTime } from '../../shared/format.ts';
import { type Action, ActionStatus, useAction } from '../action/use-action.tsx';
import type { Target } from '../target/target.ts';
import type { Connection } from '../wallet/use-wallet.ts';
import type { PresentDelegation } from './use-delegation.ts';

export interface DelegationCardProps {
  readonly connection: Connection;
  readonly target: Target;
  readonly present: PresentDelegation;
}

export function DelegationCard({ connection, target, present }: DelegationCardProps) {
  const action = useAction();
  const { state, problem } = present;
  return (
    <section class="card" aria-labelledby="delegation">
      <h2 id="delegation">Your delegation</h2>
      {problem && <Alert>{problem}</Alert>}
      {!problem && !state && <p>Reading the delegation from the chain…</p>}
      {state && state.registry.version === undefined && <UnknownRegistry />}
      {state && state.registry.version !== undefined && (
        <>
          <Now present={present} target={target} />
          <Buttons connection={connection} target={target} present={present} action={action} />
        </>
      )}
      <ActionStatus state={action.state} />
    </section>
  );
}

function UnknownRegistry() {
  return (
    <Alert>
      <strong>The contract at that address is not a registry that this page knows.</strong> Verifiers would
      ignore a delegation in it, and its code could do anything. This page sends and signs nothing for it.
      Check the address with your service.
    </Alert>
  );
}

function Now({ present: { state }, target }: Pick<DelegationCardProps, 'present' | 'target'>) {
  if (!state) return null;
  const { delegateAddress, since, registry } = state;
  const isTarget = delegateAddress !== undefined && delegateAddress === target.delegateAddress;
  return (
    <dl class="facts">
      <Fact label="May act for you">
        {delegateAddress ? <span class="mono">{delegateAddress}</span> : 'Only you'}
        {isTarget && ' (the delegate above)'}
      </Fact>
      {delegateAddress && <Fact label="Since">{formatTime(since)}</Fact>}
      <Fact label="Registry">
        {registry.version}
        {registry.codeIsKnown ? ', recognized by its code' : ', recognized by its address only'}
      </Fact>
    </dl>
  );
}

function Buttons({ connection, target, present, action }: DelegationCardProps & { readonly action: Action }) {
  const { delegateAddress: now } = present.state ?? {};
  const { delegateAddress: wanted } = target;
  const send = (delegateAddress: Address | undefined, done: string) => {
    const { query, refresh } = present;
    if (!query) return;
    action.send(connection, delegationCall(query.registryAddress, delegateAddress), {
      done,
      isDone: async () =>
        (await readDelegation(connection.wallet.provider, query)).delegateAddress === delegateAddress,
      onMined: refresh,
    });
  };
  return (
    <div class="actions">
      {wanted && wanted !== now && (
        <button
          type="button"
          class="primary"
          disabled={action.isBusy}
          onClick={() => send(wanted, `${wanted} may attest in your name.`)}
        >
          {now ? 'Change the delegation' : 'Delegate'}
        </button>
      )}
      {now && (
        <button
          type="button"
          disabled={action.isBusy}
          onClick={() => send(undefined, 'Now only you may attest in your name.')}
        >
          Revoke the delegation
        </button>
      )}
      {!wanted && !now && <p>To delegate, enter a delegate above.</p>}
    </div>
  );
}
