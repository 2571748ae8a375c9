import type { Address } from 'imprimatur-verifier';
import { delegationCall, readDelegation } from 'imprimatur-verifier/delegation';
import { Alert } from '../../shared/alert.tsx';
import { formatTime } from '../../shared/date-format.ts';
import { Fact } from '../../shared/fact.tsx';
import { type Action, ActionStatus, useAction } from '../action/use-action.tsx';
import type { Target } from '../target/target.ts';
import type { Connection } from '../wallet/use-wallet.ts';
import type { CurrentDelegation } from './use-delegation.ts';

export interface DelegationCardProps {
  readonly connection: Connection;
  readonly target: Target;
  readonly current: CurrentDelegation;
}

export function DelegationCard({ connection, target, current }: DelegationCardProps) {
  const action = useAction();
  const { state, problem } = current;
  return (
    <section class="card" aria-labelledby="delegation">
      <h2 id="delegation">Your delegation</h2>
      {problem && <Alert>{problem}</Alert>}
      {!problem && !state && <p>Reading the delegation from the chain…</p>}
      {state && state.registry.version === undefined && <UnknownRegistry />}
      {state && state.registry.version !== undefined && (
        <>
          <CurrentFacts current={current} target={target} />
          <Buttons connection={connection} target={target} current={current} action={action} />
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

function CurrentFacts({ current: { state }, target }: Pick<DelegationCardProps, 'current' | 'target'>) {
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

function Buttons({ connection, target, current, action }: DelegationCardProps & { readonly action: Action }) {
  const { delegateAddress: oldDelegate } = current.state ?? {};
  const { delegateAddress: newDelegate } = target;
  const send = (delegateAddress: Address | undefined, done: string) => {
    const { query, refresh } = current;
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
      {newDelegate && newDelegate !== oldDelegate && (
        <button
          type="button"
          class="primary"
          disabled={action.isBusy}
          onClick={() => send(newDelegate, `${newDelegate} may attest in your name.`)}
        >
          {oldDelegate ? 'Change the delegation' : 'Delegate'}
        </button>
      )}
      {oldDelegate && (
        <button
          type="button"
          disabled={action.isBusy}
          onClick={() => send(undefined, 'Now only you may attest in your name.')}
        >
          Revoke the delegation
        </button>
      )}
      {!newDelegate && !oldDelegate && <p>To delegate, enter a delegate above.</p>}
    </div>
  );
}
