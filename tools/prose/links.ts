import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { parseMarkdown } from './markdown.ts';
import type { Problem } from './problem.ts';

const anchorsByPath = new Map<string, ReadonlySet<string>>();

/** Anchors that GitHub gives the headings of a document. */
function readAnchors(path: string): ReadonlySet<string> {
  const known = anchorsByPath.get(path);
  if (known) return known;
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  visit(parseMarkdown(readFileSync(path, 'utf8')), 'heading', (heading) => {
    anchors.add(slugger.slug(textOf(heading)));
  });
  anchorsByPath.set(path, anchors);
  return anchors;
}

/** Whether a relative link leads to a file of the checkout and to the heading that it names, if any. */
function resolves(from: string, url: string): boolean {
  const [path = '', anchor] = decodeURI(url).split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || !target.endsWith('.md') || readAnchors(target).has(anchor);
}

/** Finds dead links to files and headings in the checkout. Requests no URLs. */
export function findDeadLinks(path: string, document: Root): Problem[] {
  const problems: Problem[] = [];
  visit(document, ['link', 'image', 'definition', 'html'], (node) => {
    const html = node.type === 'html' && 'value' in node ? node.value : '';
    const urls =
      'url' in node ? [node.url] : [...html.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url);
    for (const url of urls)
      if (!/^[a-z]+:/.test(url) && !resolves(path, url))
        problems.push({ path, line: node.position?.start.line ?? 0, message: `dead link: ${url}` });
  });
  return problems;
}
