import { knownChains } from 'imprimatur-verifier';
import type { Opened, Target, TargetTexts } from './target.ts';
import { TextField } from './text-field.tsx';

interface TargetCardProps {
  readonly opened: Opened;
  readonly texts: TargetTexts;
  readonly target: Target;
  readonly onChange: (texts: TargetTexts) => void;
}

/** Card with where and to whom is delegated. */
export function TargetCard({ opened, texts, target, onChange }: TargetCardProps) {
  const change = (name: keyof TargetTexts) => (value: string) => onChange({ ...texts, [name]: value });
  const isFilled = Object.values(opened.texts).some((text) => text !== '');
  const name = target.chainId === undefined ? undefined : knownChains[target.chainId]?.name;
  return (
    <section class="card" aria-labelledby="target">
      <h2 id="target">Where, and to whom</h2>
      <p class="hint">
        {isFilled
          ? 'The link that you opened filled this in. Anybody can make a link: compare it with what your service told you.'
          : 'Your service tells you these: imprimatur delegate prints them, with a link that fills them in.'}
      </p>
      {opened.problems.length > 0 && (
        <p class="problem" role="alert">
          The link is damaged: its {opened.problems.join(' and ')} cannot be read. Ask for it again.
        </p>
      )}
      <TextField
        id="chain"
        label="Chain id"
        isNumber
        value={texts.chain}
        onChange={change('chain')}
        hint={name}
        problem={target.problems.chain}
      />
      <TextField
        id="registry"
        label="Registry"
        value={texts.registry}
        onChange={change('registry')}
        problem={target.problems.registry}
      />
      <TextField
        id="delegate"
        label="Delegate"
        value={texts.delegate}
        onChange={change('delegate')}
        problem={target.problems.delegate}
      />
    </section>
  );
}
