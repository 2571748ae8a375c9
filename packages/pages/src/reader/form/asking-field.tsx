import { knownChains } from 'imprimatur-verifier';
import { Choice, Field } from '../../shared/parts.tsx';
import type { Asking, Respondent } from '../asking/asking.ts';

interface AskingFieldProps {
  readonly asking: Asking;
  readonly remember: boolean;
  onAsking(asking: Asking): void;
  onRemember(remember: boolean): void;
}

const choices: Readonly<Record<Respondent, string>> = {
  public: 'Public providers of the chain, which are compared with each other',
  own: 'My own provider, or several',
  nobody: 'Nobody: check the proof file against a block hash',
};

function PublicProviders() {
  return (
    <details class="inset">
      <summary>Which ones</summary>
      <ul class="providers hint">
        {Object.entries(knownChains).map(([chainId, { name, providers }]) => (
          <li key={chainId}>
            {name}: {providers.map((url) => new URL(url).host).join(', ')}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Who is asked, and what that tells them. */
export function AskingField({ asking, remember, onAsking, onRemember }: AskingFieldProps) {
  const { whom } = asking;
  const change = (name: keyof Asking) => (value: string) => onAsking({ ...asking, [name]: value });
  return (
    <fieldset>
      <legend>
        <h2>Who is asked?</h2>
      </legend>
      {Object.entries(choices).map(([one, words]) => (
        <Choice
          key={one}
          label={words}
          of="whom"
          isChosen={whom === one}
          onChoice={() => change('whom')(one)}
        />
      ))}
      {whom === 'public' && <PublicProviders />}
      {whom === 'own' && (
        <div class="inset">
          <Field id="urls" label="RPC URLs" look="short" value={asking.urls} onInput={change('urls')}>
            One a line. With several, more than half must answer, and all that answer must agree. Never take
            one from the page or the person whose text you check.
          </Field>
          <Choice label="Remember them in this browser" isChosen={remember} onChoice={onRemember} />
        </div>
      )}
      {whom === 'nobody' ? (
        <div class="inset">
          <Field
            id="block-hash"
            label="Hash of the proof’s block"
            value={asking.blockHash}
            onInput={change('blockHash')}
          >
            From a node, an explorer or a light client that you believe; never from the proof file itself.
          </Field>
        </div>
      ) : (
        <>
          <details class="inset">
            <summary>Look for corrections elsewhere too</summary>
            <Field
              id="registries"
              label="Other registries"
              look="short"
              value={asking.registries}
              onInput={change('registries')}
            >
              Addresses, one a line. A correction that is not in the attestation’s own registry is looked for
              in these, and in the published registries of the chain without being named.
            </Field>
          </details>
          <p class="hint">
            A provider learns which attestation you look at, and from which IP address. It does not learn the
            text, which stays in this page.
          </p>
        </>
      )}
    </fieldset>
  );
}
