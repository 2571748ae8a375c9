import { useState } from 'preact/hooks';
import { Choice } from '../../shared/form-fields.tsx';
import { useIsShown } from '../../shared/use-is-shown.ts';
import { ErrorAlert } from './error-alert.tsx';
import {
  type Credentials,
  ownServiceUrl,
  rememberCredentials,
  rememberedCredentials,
  type Session,
  startSession,
} from './session.ts';
import { useAction } from './use-action.ts';

interface SignInProps {
  /** URL of the current session, whose key is to be changed. */
  readonly currentUrl?: string | undefined;
  onSession(session: Session, credentials: Credentials): void;
}

export function SignIn({ currentUrl, onSession }: SignInProps) {
  const [url, setUrl] = useState(currentUrl ?? ownServiceUrl());
  const [apiKey, setApiKey] = useState('');
  const [remember, setRemember] = useState(rememberedCredentials() !== undefined);
  const { isBusy, error, run } = useAction();
  const isShown = useIsShown();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const credentials = { url: url.trim(), apiKey: apiKey.trim() };
      const session = await startSession(credentials);
      // The person has signed out or closed the form meanwhile.
      if (!isShown.current) return;
      rememberCredentials(remember ? credentials : undefined);
      onSession(session, credentials);
    });
  };
  return (
    <form class="card" aria-labelledby="sign-in" aria-busy={isBusy} onSubmit={submit}>
      <h2 id="sign-in">Sign in</h2>
      <div class="field">
        <label for="service">URL of the service</label>
        <input
          id="service"
          type="url"
          autocomplete="off"
          required
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          required
          aria-describedby="key-hint"
          value={apiKey}
          onInput={(event) => setApiKey(event.currentTarget.value)}
        />
        <p class="hint" id="key-hint">
          You get it from the operator. To view and quote attestations, a read-only key is enough. This page
          sends the key only to the service.
        </p>
      </div>
      <Choice label="Remember it until I close this tab" isChosen={remember} onChoice={setRemember} />
      <ErrorAlert error={error} />
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </p>
    </form>
  );
}
