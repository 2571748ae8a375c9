import { maxPageBytes, type TextLink, textLinksOfPage } from 'imprimatur-verifier';
import type { Given, GivenFile } from './given.ts';

/** A page that was given without its text, and its links to that. */
export interface PageWithoutText {
  readonly page: GivenFile;
  readonly links: readonly TextLink[];
}

/** The page of which the text is missing; `undefined` where there is none, or several, or it is too large. */
export function pageWithoutText({ files, pasted }: Given): PageWithoutText | undefined {
  const [page, ...others] = files.filter(({ kind }) => kind === 'page');
  const hasText = pasted !== '' || files.some(({ kind }) => kind === 'text');
  if (!page || others.length > 0 || hasText || page.bytes.length > maxPageBytes) return undefined;
  return { page, links: textLinksOfPage(new TextDecoder().decode(page.bytes)) };
}
