import type { ComponentChildren } from 'preact';

interface Labelled {
  readonly label: string;
  readonly children?: ComponentChildren;
}

/** A fact of a list, and its name; one for programs is in their letters. */
export function Fact({ label, isMono, children }: Labelled & { readonly isMono?: boolean }) {
  return (
    <>
      <dt>{label}</dt>
      <dd class={isMono ? 'mono' : undefined}>{children}</dd>
    </>
  );
}

/** What is wrong; screen readers say it at once. */
export function Alert({ children }: Pick<Labelled, 'children'>) {
  return (
    <p class="problem" role="alert">
      {children}
    </p>
  );
}

interface FieldProps extends Labelled {
  readonly id: string;
  readonly value: string;
  /** What the field looks like; one that is not a `line` is an `input`. */
  readonly look?: 'short' | 'line' | undefined;
  readonly isNumber?: boolean;
  readonly problem?: string | undefined;
  onInput(value: string): void;
}

/** A field for what programs read, with its hint and what is wrong with it. */
export function Field({ id, label, value, look, isNumber, problem, onInput, children }: FieldProps) {
  const notes = [children && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const attributes = {
    ...{ id, value, autocomplete: 'off', spellcheck: false, inputMode: isNumber ? 'numeric' : undefined },
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': notes || undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {look ? (
        <textarea class={`mono ${look}`} rows={1} {...attributes} />
      ) : (
        <input class="mono" {...attributes} />
      )}
      {children && (
        <p class="hint" id={`${id}-hint`}>
          {children}
        </p>
      )}
      {problem && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps extends Labelled {
  readonly isChosen: boolean;
  /** Name of the radio buttons that it is one of; without it, it is a checkbox. */
  readonly of?: string;
  onChoice(isChosen: boolean): void;
}

/** Something to choose, or not. */
export function Choice({ label, isChosen, of, onChoice }: ChoiceProps) {
  return (
    <label class="choice">
      <input
        type={of ? 'radio' : 'checkbox'}
        name={of}
        checked={isChosen}
        onChange={(event) => onChoice(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
