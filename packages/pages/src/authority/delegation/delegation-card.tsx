import type { Address } from 'imprimatur-verifier';
import { delegationCall, readDelegation } from 'imprimatur-verifier/delegation';
import { ActionStatus } from '../action/action-status.tsx';
import { type Action, useAction } from '../action/use-action.ts';
import type { Target } from '../target/target.ts';
import type { Connection } from '../wallet/use-wallet.ts';
import { momentText } from './moment.ts';
import type { PresentDelegation } from './use-delegation.ts';

interface DelegationCardProps {
  readonly connection: Connection;
  readonly target: Target;
  readonly present: PresentDelegation;
}

/** Card with the account's delegation as it is now, and what to do about it. */
export function DelegationCard({ connection, target, present }: DelegationCardProps) {
  const action = useAction();
  const { state, problem } = present;
  return (
    <section class="card" aria-labelledby="delegation">
      <h2 id="delegation">Your delegation</h2>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {!problem && !state && <p>Reading it from the chain …</p>}
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
    <p class="problem" role="alert">
      <strong>The contract at that address is no registry that this page knows.</strong> A delegation to it
      would mean nothing to those who verify, and its code may do anything. Nothing can be sent or signed for
      it here. Check the address with your service.
    </p>
  );
}

function Now({ present: { state }, target }: Pick<DelegationCardProps, 'present' | 'target'>) {
  if (!state) return null;
  const { delegateAddress, since, registry } = state;
  const isTarget = delegateAddress !== undefined && delegateAddress === target.delegateAddress;
  return (
    <dl class="facts">
      <dt>May act for you</dt>
      <dd>
        {delegateAddress ? <span class="mono">{delegateAddress}</span> : 'Nobody but you'}
        {isTarget && ', the delegate above'}
      </dd>
      {delegateAddress && (
        <>
          <dt>Since</dt>
          <dd>{momentText(since)}</dd>
        </>
      )}
      <dt>Registry</dt>
      <dd>
        {registry.version}
        {registry.codeIsKnown ? ', whose code is known' : ', known by its address alone'}
      </dd>
    </dl>
  );
}

interface ButtonsProps extends DelegationCardProps {
  readonly action: Action;
}

function Buttons({ connection, target, present, action }: ButtonsProps) {
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
          onClick={() => send(undefined, 'Nobody but you may attest in your name now.')}
        >
          Revoke the delegation
        </button>
      )}
      {!wanted && !now && <p>Fill in the delegate above to delegate.</p>}
    </div>
  );
}
