import type { RegistryCall } from 'imprimatur-verifier/delegation';
import { useState } from 'preact/hooks';
import type { Connection } from '../wallet/use-wallet.ts';
import { walletErrorText } from '../wallet/wallet-error.ts';
import { CallRefusedError, sendCall, waitForReceipt } from './transact.ts';

export type ActionState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'waiting' | 'done' | 'failed'; readonly text: string }
  | { readonly phase: 'sent'; readonly text: string; readonly hash: string };

/** Runs actions in the wallet. Start none while `isBusy`. */
export interface Action {
  readonly state: ActionState;
  readonly isBusy: boolean;
  run(prompt: string, action: () => Promise<string>): void;
  send(connection: Connection, call: RegistryCall, followUp: CallFollowUp): void;
}

/** Text for a completed call, and how to detect its completion. */
export interface CallFollowUp {
  readonly done: string;
  /** Whether the chain already shows the change. */
  isDone(): Promise<boolean>;
  /** Called when the transaction is mined, even if it failed. */
  onMined(): void;
}

export function useAction(): Action {
  const [state, setState] = useState<ActionState>({ phase: 'idle' });
  const run = async (prompt: string, action: () => Promise<string>) => {
    setState({ phase: 'waiting', text: prompt });
    try {
      setState({ phase: 'done', text: await action() });
    } catch (error) {
      const text = error instanceof CallRefusedError ? error.message : walletErrorText(error);
      setState({ phase: 'failed', text });
    }
  };
  const send = async (connection: Connection, call: RegistryCall, followUp: CallFollowUp) => {
    const hash = await sendCall(connection, call);
    setState({
      phase: 'sent',
      text: 'Sent. Waiting for the transaction to be mined, which can take minutes.',
      hash,
    });
    const mined = await waitForReceipt(connection, hash, followUp.isDone);
    followUp.onMined();
    if (mined?.succeeded === false)
      throw new CallRefusedError(`The transaction failed in block ${mined.blockNumber}. Nothing changed.`);
    return mined ? `${followUp.done} The transaction is in block ${mined.blockNumber}.` : followUp.done;
  };
  return {
    state,
    isBusy: state.phase === 'waiting' || state.phase === 'sent',
    run: (prompt, action) => void run(prompt, action),
    send: (connection, call, followUp) =>
      void run('Confirm the transaction in your wallet.', () => send(connection, call, followUp)),
  };
}

const tones = { waiting: 'fair', sent: 'fair', done: 'good', failed: 'bad' } as const;
const prefixes = { waiting: '', sent: '', done: 'Done. ', failed: 'Not done. ' } as const;

/** Shows the state of an action. Screen readers announce changes. */
export function ActionStatus({ state }: Pick<Action, 'state'>) {
  return (
    <div role="status">
      {state.phase !== 'idle' && (
        <div class={`outcome ${tones[state.phase]}`}>
          <p>
            {prefixes[state.phase]}
            {state.text}
          </p>
          {state.phase === 'sent' && <p class="mono">{state.hash}</p>}
        </div>
      )}
    </div>
  );
}
