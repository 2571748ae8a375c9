import { type Chain, ImprimaturClient } from 'imprimatur-client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What a publisher enters to sign in. The key is never in a URL, a log or local storage. */
export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
}

/** A session, which every view uses. */
export interface Session {
  readonly client: ImprimaturClient;
  /** Chains of the service, as they were when the session started. */
  readonly chains: readonly Chain[];
}

/** Few and short tries, because a person is waiting and can try again. */
const requestLimits = { tries: 2, timeoutSeconds: 20 };

/** Starts a session, if the service accepts the key. @throws ImprimaturError */
export async function startSession(credentials: Credentials): Promise<Session> {
  const client = new ImprimaturClient({ ...credentials, ...requestLimits });
  return { client, chains: await client.chains() };
}

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('this view is shown only during a session');
  return session;
}

const storageKey = 'imprimatur-session';

/** Reads the credentials that this tab remembers. Pages on disk and private windows may have no storage. */
export function rememberedCredentials(): Credentials | undefined {
  try {
    const text = sessionStorage.getItem(storageKey);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Remembers the credentials until the tab is closed, or forgets them. */
export function rememberCredentials(credentials: Credentials | undefined): void {
  try {
    if (credentials) sessionStorage.setItem(storageKey, JSON.stringify(credentials));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage, the page remembers nothing.
  }
}

/** URL of the service that serves this page, or empty if a copy of the page is open. */
export function ownServiceUrl(): string {
  return document.querySelector('meta[name="imprimatur-service"]')?.getAttribute('content') ?? '';
}
