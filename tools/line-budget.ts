import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { filesIn, sourceFolders } from './source-folders.ts';

/** Lines per file and per function, tests excluded; the limits keep a file readable in one sitting. */
const budget = { file: { median: 70, p90: 160 }, function: { median: 12, p90: 35 } };

/** Generated files, which are not read through. */
const generated = /^contracts\/artifacts\//;

const sourceFiles = () =>
  filesIn(sourceFolders).filter((path) => /\.tsx?$/.test(path) && !generated.test(path));

/** Line counts of every function with a body of its own; the lines of an inner function count in both. */
function functionLines(source: ts.SourceFile): number[] {
  const lines: number[] = [];
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      lines.push(line(node.end) - line(node.getStart(source)) + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function measure(values: readonly number[]) {
  return {
    count: values.length,
    median: quantile(values, 0.5),
    p90: quantile(values, 0.9),
    max: Math.max(...values),
  };
}

const sources = sourceFiles().map((path) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
);
const measured = {
  file: measure(sources.map((source) => source.getLineStarts().length - 1)),
  function: measure(sources.flatMap(functionLines)),
};
let over = false;
for (const kind of ['file', 'function'] as const) {
  const { count, median, p90, max } = measured[kind];
  const withTimeout = median <= budget[kind].median && p90 <= budget[kind].p90;
  over ||= !withTimeout;
  console.log(
    `${kind}s: ${count}, lines median ${median} (budget ${budget[kind].median}), ` +
      `p90 ${p90} (budget ${budget[kind].p90}), longest ${max}${withTimeout ? '' : '  OVER BUDGET'}`,
  );
}
process.exitCode = over ? 1 : 0;
