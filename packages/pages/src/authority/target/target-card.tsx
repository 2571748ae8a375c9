import { knownChains } from 'imprimatur-verifier';
import { Alert } from '../../shared/alert.tsx';
import { Field } from '../../shared/form-fields.tsx';
import type { LinkValues, Target, TargetTexts } from './target.ts';

interface TargetCardProps {
  readonly linkValues: LinkValues;
  readonly texts: TargetTexts;
  readonly target: Target;
  readonly onChange: (texts: TargetTexts) => void;
}

const labels = { chain: 'Chain ID', registry: 'Registry', delegate: 'Delegate' } as const;
const names = ['chain', 'registry', 'delegate'] as const;

export function TargetCard({ linkValues, texts, target, onChange }: TargetCardProps) {
  const isFilled = names.some((name) => linkValues.texts[name] !== '');
  const chainName = target.chainId === undefined ? undefined : knownChains[target.chainId]?.name;
  return (
    <section class="card" aria-labelledby="target">
      <h2 id="target">Registry and delegate</h2>
      <p class="hint">
        {isFilled
          ? 'The link that you opened filled in these fields. Anyone can make such a link: compare the values with those from your service.'
          : 'Get these values from your service. The command imprimatur delegate prints them and, with --page, a link that fills in these fields.'}
      </p>
      {linkValues.problems.length > 0 && (
        <Alert>
          The link is damaged and has no valid {linkValues.problems.join(' and ')}. Ask for a new link.
        </Alert>
      )}
      {names.map((name) => (
        <Field
          key={name}
          id={name}
          label={labels[name]}
          size="line"
          isNumber={name === 'chain'}
          value={texts[name]}
          onInput={(value) => onChange({ ...texts, [name]: value })}
          problem={target.problems[name]}
        >
          {name === 'chain' && chainName}
        </Field>
      ))}
    </section>
  );
}
