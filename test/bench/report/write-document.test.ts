import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sectionNames } from './section.ts';
import { DocumentMarkerMissingError, replaceResults } from './write-document.ts';

const document = `# Benchmarks

<!-- bench gas: begin -->

old gas

<!-- bench gas: end -->

prose

<!-- bench hops: begin -->
<!-- bench hops: end -->
`;

test('replaces the results of one section and nothing else', () => {
  expect(replaceResults(document, 'gas', 'new gas')).toBe(document.replace('old gas', 'new gas'));
});

test('writes the same when it writes again', () => {
  const once = replaceResults(document, 'hops', 'results');
  expect(once).toContain('<!-- bench hops: begin -->\n\nresults\n\n<!-- bench hops: end -->');
  expect(replaceResults(once, 'hops', 'results')).toBe(once);
});

test('refuses a document that has no place for the section', () => {
  expect(() => replaceResults(document, 'bundles', 'results')).toThrow(DocumentMarkerMissingError);
});

test('finds a place for every section in docs/benchmarks.md', () => {
  const benchmarks = readFileSync('docs/benchmarks.md', 'utf8');
  for (const name of sectionNames) expect(replaceResults(benchmarks, name, 'results')).toContain('results');
});
