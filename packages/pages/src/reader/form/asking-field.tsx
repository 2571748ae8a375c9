import { knownChains } from 'imprimatur-verifier';
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

function OwnProviders({ asking, remember, onAsking, onRemember }: AskingFieldProps) {
  return (
    <div class="inset">
      <label for="urls">RPC URLs</label>
      <textarea
        id="urls"
        class="mono short"
        spellcheck={false}
        autocomplete="off"
        aria-describedby="urls-hint"
        value={asking.urls}
        onInput={(event) => onAsking({ ...asking, urls: event.currentTarget.value })}
      />
      <p class="hint" id="urls-hint">
        One a line. With several, more than half must answer, and all that answer must agree. Never take one
        from the page or the person whose text you check.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={remember}
          onChange={(event) => onRemember(event.currentTarget.checked)}
        />
        Remember them in this browser
      </label>
    </div>
  );
}

function BlockHash({ asking, onAsking }: Pick<AskingFieldProps, 'asking' | 'onAsking'>) {
  return (
    <div class="inset">
      <label for="block-hash">Hash of the proof’s block</label>
      <input
        id="block-hash"
        class="mono"
        autocomplete="off"
        spellcheck={false}
        aria-describedby="block-hash-hint"
        value={asking.blockHash}
        onInput={(event) => onAsking({ ...asking, blockHash: event.currentTarget.value })}
      />
      <p class="hint" id="block-hash-hint">
        From a node, an explorer or a light client that you believe; never from the proof file itself.
      </p>
    </div>
  );
}

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

function OtherRegistries({ asking, onAsking }: Pick<AskingFieldProps, 'asking' | 'onAsking'>) {
  return (
    <details class="inset">
      <summary>Look for corrections elsewhere too</summary>
      <label for="registries">Other registries</label>
      <textarea
        id="registries"
        class="mono short"
        spellcheck={false}
        autocomplete="off"
        aria-describedby="registries-hint"
        value={asking.registries}
        onInput={(event) => onAsking({ ...asking, registries: event.currentTarget.value })}
      />
      <p class="hint" id="registries-hint">
        Addresses, one a line. A correction that is not in the attestation’s own registry is looked for in
        these, and in the published registries of the chain without being named.
      </p>
    </details>
  );
}

/** Who is asked, and what that tells them. */
export function AskingField(props: AskingFieldProps) {
  const { asking, onAsking } = props;
  return (
    <fieldset>
      <legend>
        <h2>Who is asked?</h2>
      </legend>
      {Object.entries(choices).map(([whom, words]) => (
        <label class="choice" key={whom}>
          <input
            type="radio"
            name="whom"
            checked={asking.whom === whom}
            onChange={() => onAsking({ ...asking, whom: whom as Respondent })}
          />
          {words}
        </label>
      ))}
      {asking.whom === 'public' && <PublicProviders />}
      {asking.whom === 'own' && <OwnProviders {...props} />}
      {asking.whom === 'nobody' && <BlockHash {...props} />}
      {asking.whom !== 'nobody' && <OtherRegistries {...props} />}
      {asking.whom !== 'nobody' && (
        <p class="hint">
          A provider learns which attestation you look at, and from which IP address. It does not learn the
          text, which stays in this page.
        </p>
      )}
    </fieldset>
  );
}
