import type { IncomingMessage, RequestOptions } from 'node:http';
import { AddressPrivateError, lookupPublic, type PublicNetwork } from 'imprimatur-verifier/network';

/** An answer that could not be read; the message goes on from the name of what was asked for. */
export class AnswerUnreadError extends Error {
  override name = 'AnswerUnreadError';
}

function wordsOf(error: unknown): string {
  if (error instanceof AddressPrivateError) return 'is at an address that is not public';
  return 'could not be reached';
}

/** Asks hosts of a network, within one time. */
export class HostQuestion {
  readonly #network: PublicNetwork;
  readonly #signal: AbortSignal;
  readonly #lookup: RequestOptions['lookup'];

  constructor(network: PublicNetwork, interruption: AbortSignal) {
    this.#network = network;
    this.#signal = AbortSignal.any([interruption, AbortSignal.timeout(network.timeoutMilliseconds)]);
    this.#lookup = lookupPublic(network.resolve, network.isPublic);
  }

  /** @throws AnswerUnreadError */
  ask(url: URL, accept: string): Promise<IncomingMessage> {
    const headers = { accept, 'user-agent': 'imprimatur' };
    return new Promise((resolve, reject) => {
      // An agent of its own: it takes no proxy from the environment, which would resolve the name by itself.
      const options = { agent: false, headers, lookup: this.#lookup, signal: this.#signal } as const;
      const sent = this.#network.request(url, options);
      const refuse = (cause?: unknown) => reject(new AnswerUnreadError(wordsOf(cause), { cause }));
      sent.once('response', resolve);
      sent.once('error', refuse);
      // A connection that is upgraded has no response, nor an error.
      sent.once('close', refuse);
      sent.end();
    });
  }
}

/** The body, or so much of it that it shows to be too long. @throws AnswerUnreadError */
export async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch (cause) {
    throw new AnswerUnreadError('breaks off', { cause });
  }
  return Buffer.concat(chunks);
}
