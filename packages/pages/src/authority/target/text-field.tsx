interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly isNumber?: boolean;
}

/** A line to type into, with what is wrong with it said beside it. What is long is shown whole, to be compared. */
export function TextField({ id, label, value, onChange, hint, problem, isNumber }: TextFieldProps) {
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="mono line"
        rows={1}
        value={value}
        inputMode={isNumber ? 'numeric' : 'text'}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={notes || undefined}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
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
