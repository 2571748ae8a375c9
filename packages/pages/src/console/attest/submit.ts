import type { ImprimaturClient } from 'imprimatur-client';
import { ConsoleError, explainError } from '../session/explain-error.ts';
import { cidOfText } from '../text/content.ts';

/** What a publisher enters to attest a text. */
export interface Draft {
  readonly text: string;
  /** URL of the article; may be empty. */
  readonly url: string;
  /** Chain, or `undefined` for the default one. */
  readonly chainId: number | undefined;
  /** Attestation that the text corrects, if the person chose the one with the same URL. */
  readonly replaces?: { readonly id: string; readonly url: string } | undefined;
}

export interface DraftProps {
  readonly draft: Draft;
  /** Changes fields of the draft, and keeps what was typed into the others meanwhile. */
  onChange(fields: Partial<Draft>): void;
}

export const emptyDraft: Draft = { text: '', url: '', chainId: undefined };

export interface Submitted {
  readonly id: string;
  readonly contentCid: string;
  /** Whether the text was new to the service. */
  readonly created: boolean;
}

/**
 * Attests a text, and links an older attestation to it. Both steps are idempotent, so after an error the person submits
 * the same draft again.
 * @param replaces ID of the attestation to link to the text
 */
export async function submitDraft(
  client: ImprimaturClient,
  { text, url, chainId }: Draft,
  replaces: string | undefined,
): Promise<Submitted> {
  const fields = { chainId, url: url.trim() === '' ? undefined : url.trim() };
  const { created, attestation } = await client.attest(text, fields);
  const { id, contentCid } = attestation;
  if (contentCid !== cidOfText(text))
    throw new ConsoleError(
      'The service and this page computed different CIDs, so the service did not attest this text. Ask its operator.',
    );
  if (replaces === undefined) return { id, contentCid, created };
  if (id === replaces) throw new ConsoleError('This is the text that you want to correct. Change it first.');
  try {
    await client.link(replaces, id);
  } catch (error) {
    throw new ConsoleError(
      `The text is accepted, but the older one does not link to it yet. ${explainError(error)} To link it, submit again: the text is not attested twice.`,
    );
  }
  return { id, contentCid, created };
}
