import { knownChains } from 'imprimatur-verifier';
import { Choice, Field } from '../../shared/form-fields.tsx';
import type { ChainSource, SourceKind } from '../source/chain-source.ts';

interface SourceFieldProps {
  readonly source: ChainSource;
  readonly remember: boolean;
  onSource(source: ChainSource): void;
  onRemember(remember: boolean): void;
}

const choices: Readonly<Record<SourceKind, string>> = {
  public: 'Public RPC providers; their answers are compared',
  own: 'My own RPC providers',
  none: 'None: check the proof file offline, against a block hash',
};

function PublicProviders() {
  return (
    <details class="inset">
      <summary>Show the providers</summary>
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

export function SourceField({ source, remember, onSource, onRemember }: SourceFieldProps) {
  const { kind } = source;
  const change = (name: keyof ChainSource) => (value: string) => onSource({ ...source, [name]: value });
  return (
    <fieldset>
      <legend>
        <h2>How to read the blockchain</h2>
      </legend>
      {Object.entries(choices).map(([option, text]) => (
        <Choice
          key={option}
          label={text}
          group="kind"
          isChosen={kind === option}
          onChoice={() => change('kind')(option)}
        />
      ))}
      {kind === 'public' && <PublicProviders />}
      {kind === 'own' && (
        <div class="inset">
          <Field id="urls" label="RPC URLs" size="short" value={source.urls} onInput={change('urls')}>
            One per line. If you enter several, more than half must answer, and all answers must agree. Never
            use a provider that the checked page or the author of the text suggests.
          </Field>
          <Choice label="Remember them in this browser" isChosen={remember} onChoice={onRemember} />
        </div>
      )}
      {kind === 'none' ? (
        <div class="inset">
          <Field
            id="block-hash"
            label="Hash of the proof’s block"
            value={source.blockHash}
            onInput={change('blockHash')}
          >
            Take it from a node, an explorer or a light client that you trust, never from the proof file
            itself.
          </Field>
        </div>
      ) : (
        <>
          <details class="inset">
            <summary>Search other registries for corrections</summary>
            <Field
              id="registries"
              label="Other registries"
              size="short"
              value={source.registries}
              onInput={change('registries')}
            >
              Addresses, one per line. If a correction is not in the attestation’s own registry, the page also
              searches these registries, then the published ones of the chain.
            </Field>
          </details>
          <p class="hint">
            A provider learns which attestation you check, and your IP address. It does not learn the text,
            which stays in this page.
          </p>
        </>
      )}
    </fieldset>
  );
}
