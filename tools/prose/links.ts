import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { parseMarkdown } from './markdown.ts';
import type { Problem } from './problem.ts';

const anchorsOf = new Map<string, ReadonlySet<string>>();

/** Anchors that GitHub gives the headings of a document. */
function readAnchors(path: string): ReadonlySet<string> {
  const known = anchorsOf.get(path);
  if (known) return known;
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  visit(parseMarkdown(readFileSync(path, 'utf8')), 'heading', (heading) => {
    anchors.add(slugger.slug(textOf(heading)));
  });
  anchorsOf.set(path, anchors);
  return anchors;
}

/** Whether a relative link leads to a file of the checkout and, if it names one, to a heading in it. */
function leadsSomewhere(from: string, url: string): boolean {
  const [path = '', anchor] = decodeURI(url).split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || !target.endsWith('.md') || readAnchors(target).has(anchor);
}

/** Finds dead links to files and headings. It does not request what is elsewhere. */
export function findDeadLinks(path: string, document: Root): Problem[] {
  const problems: Problem[] = [];
  visit(document, ['link', 'image', 'definition'], (node) => {
    if (!('url' in node) || /^[a-z]+:/.test(node.url) || leadsSomewhere(path, node.url)) return;
    problems.push({ path, line: node.position?.start.line ?? 0, message: `dead link: ${node.url}` });
  });
  return problems;
}
