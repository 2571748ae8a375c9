import type { ComponentChildren } from 'preact';

interface LabeledProps {
  readonly label: string;
  readonly children?: ComponentChildren;
}

interface FieldProps extends LabeledProps {
  readonly id: string;
  readonly value: string;
  /** `short` and `line` are text areas; the default is an `input`. */
  readonly size?: 'short' | 'line' | undefined;
  readonly isNumber?: boolean;
  readonly problem?: string | undefined;
  onInput(value: string): void;
}

/** A field for technical values, with its hint and error. */
export function Field({ id, label, value, size, isNumber, problem, onInput, children }: FieldProps) {
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
      {size ? (
        <textarea class={`mono ${size}`} rows={1} {...attributes} />
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

interface ChoiceProps extends LabeledProps {
  readonly isChosen: boolean;
  /** Name of the group of radio buttons. Without it, the choice is a checkbox. */
  readonly group?: string;
  onChoice(isChosen: boolean): void;
}

export function Choice({ label, isChosen, group, onChoice }: ChoiceProps) {
  return (
    <label class="choice">
      <input
        type={group ? 'radio' : 'checkbox'}
        name={group}
        checked={isChosen}
        onChange={(event) => onChoice(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
