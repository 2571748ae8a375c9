import { ApiKeyInvalidError, type Chain, ImprimaturClient, NotFoundError } from 'imprimatur-client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ConsoleError } from './explain-error.ts';

/** What a publisher enters to sign in. The key is never in a URL, a log or local storage. */
export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
}

/** A session, which every view uses. */
export interface Session {
  readonly client: ImprimaturClient;
  readonly chains: readonly Chain[];
}

/** Few and short tries, because a person is waiting and can try again. */
const requestLimits = { tries: 2, timeoutSeconds: 20 };

/** Starts a session, if the service accepts the key. @throws ImprimaturError, ConsoleError */
export async function startSession(credentials: Credentials): Promise<Session> {
  const client = new ImprimaturClient({ ...credentials, ...requestLimits });
  try {
    return { client, chains: await client.chains() };
  } catch (error) {
    if (error instanceof ApiKeyInvalidError)
      throw new ConsoleError(
        'The service does not accept this API key: it is wrong, expired or revoked. Ask the operator for another one.',
      );
    if (error instanceof NotFoundError)
      throw new ConsoleError('There is no service at this URL. Enter the URL of the service, without /v1.');
    throw error;
  }
}

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('this view is shown only during a session');
  return session;
}

/** The chain with this ID, if the service has it. */
export const useChain = (chainId: number) => useSession().chains.find((chain) => chain.chainId === chainId);

const storageKey = 'imprimatur-session';

/** Reads the credentials that this tab remembers. Pages on disk and private windows may have no storage. */
export function rememberedCredentials(): Credentials | undefined {
  try {
    const { url, apiKey } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
    return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : undefined;
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
