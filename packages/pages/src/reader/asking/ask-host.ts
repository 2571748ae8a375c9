/** What a host answers: its bytes, or so many of them that they show to be too many. */
export interface HostAnswer {
  readonly status: number;
  readonly isWebPage: boolean;
  readonly bytes: Uint8Array;
}

const timeoutMilliseconds = 15_000;

/** A body, or so much of it that it shows to be too long: a server may go on for ever. */
async function bodyOf(response: Response, maxBytes: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length <= maxBytes) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) break;
    chunks.push(value);
    length += value.length;
  }
  await reader?.cancel();
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

const isWebPage = ({ headers }: Response) =>
  /^\s*(text\/html|application\/xhtml\+xml)/i.test(headers.get('content-type') ?? '');

/**
 * Asks a host that the reader agreed to ask, and no other.
 * @returns why there is no answer, in words that go on from the name of what was asked for, where there is none
 */
export async function askHost(url: string, maxBytes: number): Promise<HostAnswer | string> {
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      // A host that it names instead would learn of the reader too.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.type === 'opaqueredirect') return 'is at another address, to which this page does not go';
    const { status } = response;
    return { status, isWebPage: isWebPage(response), bytes: await bodyOf(response, maxBytes) };
  } catch {
    return 'could not be reached, or is redirected, or the domain does not let pages read it';
  }
}
