import ts from 'typescript';
import { expect, test } from 'vitest';

/** Calls from a step's entry to the bytes on the wire, the last one included: more than that nobody follows. */
const maxDepth = 8;

const entries = ['commit.ts/commitStep', 'reveal.ts/revealStep', 'advance-lane.ts/advance', 'sweep.ts/sweep'];

type Declared = ts.FunctionDeclaration & { readonly body: ts.Block };

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
};

const steps = 'functions/domain/steps';
const program = ts.createProgram(
  [...new Set(entries.map((entry) => `${steps}/${entry.split('/')[0]}`))],
  options,
);
const checker = program.getTypeChecker();

const isDomain = (node: ts.Node) => /\/functions\/domain\//.test(node.getSourceFile().fileName);

/** The function of the domain that an identifier names, called at once or handed on to be called. */
function declaredBy(node: ts.Identifier): Declared | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const found = target?.declarations?.find((one) => ts.isFunctionDeclaration(one) && one.body !== undefined);
  return found && isDomain(found) ? (found as Declared) : undefined;
}

/** `send` of the chain port: it gives the bytes to the providers. */
function isWire(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'send') return false;
  const declared = checker.getSymbolAtLocation(node.name)?.declarations?.[0];
  return declared !== undefined && /\/functions\/domain\/chain\.ts$/.test(declared.getSourceFile().fileName);
}

interface Calls {
  readonly functions: ReadonlySet<Declared>;
  readonly reachesWire: boolean;
}

const known = new Map<Declared, Calls>();

function callsIn(declared: Declared): Calls {
  const before = known.get(declared);
  if (before) return before;
  const functions = new Set<Declared>();
  let reachesWire = false;
  const visit = (node: ts.Node): void => {
    if (isWire(node)) reachesWire = true;
    const called = ts.isIdentifier(node) ? declaredBy(node) : undefined;
    if (called && called !== declared) functions.add(called);
    ts.forEachChild(node, visit);
  };
  visit(declared.body);
  const calls = { functions, reachesWire };
  known.set(declared, calls);
  return calls;
}

/** The longest way to the wire, by name; no function twice. */
function longestWay(from: Declared, path: readonly Declared[] = []): string[] | undefined {
  if (path.includes(from)) return undefined;
  const { functions, reachesWire } = callsIn(from);
  const ways = [...functions]
    .map((next) => longestWay(next, [...path, from]))
    .filter((way) => way !== undefined);
  if (reachesWire) ways.push(['chain.send']);
  const longest = ways.sort((a, b) => b.length - a.length)[0];
  return longest && [from.name?.text ?? '', ...longest];
}

function entryOf(entry: string): Declared {
  const [file, name] = entry.split('/');
  const found = program
    .getSourceFile(`${steps}/${file}`)
    ?.statements.find((one) => ts.isFunctionDeclaration(one) && one.name?.text === name);
  if (!found) throw new Error(`${entry} is not there`);
  return found as Declared;
}

test.each(entries.slice(0, 3))('%s reaches the wire in at most 8 calls', (entry) => {
  const way = longestWay(entryOf(entry)) ?? [];
  expect(way.at(-1)).toBe('chain.send');
  // The entry itself is not a call.
  expect(way.length - 1, way.join(' → ')).toBeLessThanOrEqual(maxDepth);
});

test('the sweep sends nothing itself', () => {
  expect(longestWay(entryOf('sweep.ts/sweep'))).toBeUndefined();
});
