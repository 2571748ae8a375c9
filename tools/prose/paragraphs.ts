import type { Root } from 'mdast';
import ts from 'typescript';
import { visit } from 'unist-util-visit';

/** A paragraph of running text, in which "code" stands for each piece of code. */
export interface Paragraph {
  readonly text: string;
  /** Line at which it begins. */
  readonly line: number;
}

/** Text of a Markdown node. */
function proseOf(node: { type: string; value?: string; children?: unknown[] }): string {
  if (node.type === 'inlineCode') return 'code';
  if (node.type === 'break') return ' ';
  if (node.value !== undefined) return node.type === 'text' ? node.value : '';
  return (node.children ?? []).map((child) => proseOf(child as Parameters<typeof proseOf>[0])).join('');
}

/** Reads the paragraphs and table cells of a Markdown document. */
export function paragraphsOf(document: Root): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  visit(document, ['paragraph', 'tableCell'], (node) => {
    paragraphs.push({ text: proseOf(node), line: node.position?.start.line ?? 0 });
  });
  return paragraphs;
}

/** The text of a line in a list: the second column after an option, an argument, a command or a code, or an item. */
const listed = /^ {2,}(?:-|\d+\.) (\S.*)$|^ {2,}\S.*? {2,}(\S.*)$/;

/** Reads the help text of a command: its paragraphs, and the entries of its lists. Skips examples and headings. */
export function helpParagraphs(help: string): Paragraph[] {
  const paragraphs: { text: string; line: number }[] = [];
  /** What continues the last paragraph: an indented line in a list, otherwise a line that is not indented. */
  let continuation: RegExp | undefined;
  for (const [index, content] of help.split('\n').entries()) {
    const [, item, column] = listed.exec(content) ?? [];
    const entry = item ?? column;
    const last = paragraphs.at(-1);
    if (entry === undefined && continuation?.test(content) && last) last.text += ` ${content.trim()}`;
    else {
      const text = entry ?? (/^\S.*(?<!:)$/.test(content) ? content : undefined);
      if (text !== undefined) paragraphs.push({ text, line: index + 1 });
      continuation = text === undefined ? undefined : entry === undefined ? /^\S/ : /^ {4,}\S/;
    }
  }
  return paragraphs;
}

/** Fewest words of a string that is prose and not a name or a class. */
const minWords = 4;
/** Whether a string is prose, and not HTML. */
const isProse = (text: string) => text.trim().split(/\s+/).length >= minWords && !text.includes('<');

/** Text of an expression in a page: that of a string, or "code". */
function textOf(node: ts.Node): string {
  if (ts.isJsxText(node)) return node.text.replaceAll(/\s+/g, ' ');
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `code${literal.text}`).join('');
  if (ts.isJsxExpression(node)) return node.expression ? textOf(node.expression) : '';
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) return node.children.map(textOf).join('');
  return 'code';
}

/** Reads the texts in the source of a page: its elements with text, and its strings of several words. */
export function pageParagraphs(path: string, source: string): Paragraph[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const paragraphs: Paragraph[] = [];
  /** Reads strings in the expressions and attributes of an element whose text was read. */
  const readCode = (node: ts.Node): void => {
    const isCode = ts.isJsxExpression(node) ? textOf(node) === 'code' : ts.isJsxSelfClosingElement(node);
    if (isCode || ts.isJsxAttributes(node)) read(node);
    else ts.forEachChild(node, readCode);
  };
  const read = (node: ts.Node): void => {
    const isElement = ts.isJsxElement(node) || ts.isJsxFragment(node);
    const hasText = isElement && node.children.some((child) => ts.isJsxText(child) && /\w/.test(child.text));
    const isString = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (!hasText && !isString) {
      ts.forEachChild(node, read);
      return;
    }
    const text = textOf(node);
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (isProse(text)) paragraphs.push({ text, line });
    if (isElement) readCode(node);
  };
  read(file);
  return paragraphs;
}
