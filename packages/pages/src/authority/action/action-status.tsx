import type { ActionState } from './use-action.ts';

const tones = { asking: 'waiting', sent: 'waiting', done: 'good', failed: 'bad' } as const;
const openings = { asking: '', sent: '', done: 'Done. ', failed: 'Not done. ' } as const;

/** Line that says how far an action is; screen readers say it when it changes. */
export function ActionStatus({ state }: { readonly state: ActionState }) {
  return (
    <div role="status" class="status">
      {state.phase !== 'idle' && (
        <div class={`outcome ${tones[state.phase]}`}>
          <p>
            {openings[state.phase]}
            {state.text}
          </p>
          {state.phase === 'sent' && <p class="mono">{state.hash}</p>}
        </div>
      )}
    </div>
  );
}
