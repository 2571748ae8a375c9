import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout } from '../../local/checkout.ts';
import { sourceFolders } from '../run/source-folders.ts';

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

const require = createRequire(import.meta.url);
const config = `${checkout}/.dependency-cruiser.cjs`;
const rules: string[] = require(config).forbidden.map(({ name }: { name: string }) => name);

/** A forbidden import for each rule: importing and imported file. */
const forbidden: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-circular': ['local/a.ts', 'local/b.ts'],
  'not-resolved': ['local/lost.ts', 'local/missing.ts'],
  'domain-is-pure': ['functions/domain/lane/pure.ts', 'functions/adapters/environment.ts'],
  'domain-root': ['functions/domain/errors.ts', 'functions/domain/lane/lane.ts'],
  'domain-attestation': ['functions/domain/attestation/cid.ts', 'functions/domain/organization/api-keys.ts'],
  'domain-organization': ['functions/domain/organization/api-keys.ts', 'functions/domain/lane/lane.ts'],
  'domain-webhooks': ['functions/domain/webhooks/event.ts', 'functions/domain/operation/candidates.ts'],
  'domain-lane': ['functions/domain/lane/lane.ts', 'functions/domain/operation/outcome.ts'],
  'domain-operation': ['functions/domain/operation/outcome.ts', 'functions/domain/sending/fees.ts'],
  'domain-sending': ['functions/domain/sending/fees.ts', 'functions/domain/settling/settle-lane.ts'],
  'domain-settling': ['functions/domain/settling/settle-lane.ts', 'functions/domain/steps/commit.ts'],
  'domain-requests': ['functions/domain/requests/link-child.ts', 'functions/domain/steps/commit.ts'],
  'domain-steps': ['functions/domain/steps/commit.ts', 'functions/domain/operator/signers.ts'],
  'domain-operator': ['functions/domain/operator/signers.ts', 'functions/domain/requests/chains.ts'],
  'adapters-apart': ['functions/adapters/chain/rpc.ts', 'functions/adapters/dynamodb/batch-get.ts'],
  'adapters-below-handlers': ['functions/adapters/aws/log.ts', 'functions/workflow/commit.ts'],
  'api-beside-workflow': ['functions/api/get.ts', 'functions/workflow/commit.ts'],
  'workflow-beside-api': ['functions/workflow/reveal.ts', 'functions/api/http/reply.ts'],
  'streams-beside-both': ['functions/streams/send.ts', 'functions/workflow/commit.ts'],
  'no-operator-actions-in-functions': ['functions/api/list.ts', 'functions/domain/operator/signers.ts'],
  'api-folders': ['functions/api/http/route.ts', 'functions/api/openapi/parts.ts'],
  'functions-are-independent': ['functions/api/link.ts', 'admin/program.ts'],
  'functions-take-only-entries': ['functions/domain/requests/a.ts', 'packages/verifier/src/verdict/judge.ts'],
  'functions-take-only-the-abi': ['functions/api/create.ts', 'contracts/artifacts/registry-bytecode.ts'],
  'contracts-are-independent': ['contracts/deploy/deployment.ts', 'local/checkout.ts'],
  'lib-storage': ['lib/storage/tables.ts', 'lib/access/signing-key.ts'],
  'lib-site': ['lib/site/site.ts', 'lib/access/signing-key.ts'],
  'lib-access': ['lib/access/signing-key.ts', 'lib/api/api.ts'],
  'lib-environment': ['lib/environment/environment.ts', 'lib/api/api.ts'],
  'lib-api': ['lib/api/api.ts', 'lib/workflow/workflow.ts'],
  'lib-workflow': ['lib/workflow/workflow.ts', 'lib/watch/alarms.ts'],
  'lib-webhooks': ['lib/webhooks/webhooks.ts', 'lib/watch/alarms.ts'],
  'lib-takes-only-settings': ['lib/stack.ts', 'functions/domain/errors.ts'],
  'tools-only-in-tests': ['local/start.ts', 'tools/write-openapi.ts'],
  'verifier-is-independent': ['packages/verifier/src/main.ts', 'packages/client/src/answer.ts'],
  'verifier-reference': [
    'packages/verifier/src/reference/a.ts',
    'packages/verifier/src/text/compare-text.ts',
  ],
  'verifier-text': ['packages/verifier/src/text/compare-text.ts', 'packages/verifier/src/chain/block.ts'],
  'verifier-chain': ['packages/verifier/src/chain/block.ts', 'packages/verifier/src/verdict/judge.ts'],
  'verifier-trie': ['packages/verifier/src/trie/rlp.ts', 'packages/verifier/src/chain/block.ts'],
  'verifier-page': ['packages/verifier/src/page/links.ts', 'packages/verifier/src/command/present.ts'],
  'verifier-proof': ['packages/verifier/src/proof/take-proof.ts', 'packages/verifier/src/command/present.ts'],
  'verifier-verdict': ['packages/verifier/src/verdict/judge.ts', 'packages/verifier/src/command/present.ts'],
  'verifier-quote': ['packages/verifier/src/quote/proof.ts', 'packages/verifier/src/command/present.ts'],
  'verifier-publisher': ['packages/verifier/src/publisher/domain.ts', 'packages/verifier/src/events/find.ts'],
  'verifier-events': ['packages/verifier/src/events/find.ts', 'packages/verifier/src/command/present.ts'],
  'verifier-runs-anywhere': ['packages/verifier/src/verifier.ts', 'node:fs'],
  'client-is-independent': ['packages/client/src/wait.ts', 'local/checkout.ts'],
  'cli-uses-only-the-api': ['packages/cli/src/main.ts', 'admin/terminal/errors.ts'],
  'pages-are-independent': ['packages/pages/src/reader/verdict.ts', 'functions/domain/records.ts'],
  'pages-run-in-browsers': ['packages/pages/src/shared/read.ts', 'node:fs'],
  'pages-apart': ['packages/pages/src/reader/reader.ts', 'packages/pages/src/authority/authority.ts'],
  'pages-shared': ['packages/pages/src/shared/page-layout.ts', 'packages/pages/src/reader/verdict.ts'],
  'terminal-is-small': ['packages/terminal/src/text.ts', 'packages/verifier/src/verifier.ts'],
  'client-by-its-entries': ['packages/cli/src/program.ts', 'packages/client/src/wait.ts'],
  'verifier-by-its-entries': ['local/start/start.ts', 'packages/verifier/src/verdict/judge.ts'],
  'pages-by-its-entries': ['lib/site/pages.ts', 'packages/pages/src/reader/reader.ts'],
  'cli-by-its-entries': ['local/start/options.ts', 'packages/cli/src/text.ts'],
  'service-only-reads-delegations': [
    'functions/api/delegate.ts',
    'packages/verifier/src/delegation/address.ts',
  ],
  'integrations-are-independent': ['integrations/action/main.js', 'packages/client/src/wait.ts'],
  'nothing-imports-tests': ['local/load.ts', 'test/run/main.ts'],
  'no-development-packages': ['functions/domain/requests/chains.ts', 'node_modules/tool/index.js'],
};

let root: string;
let violations: Violation[];

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const isCore = (to: string): boolean => to.startsWith('node:');

const importing = (from: string, to: string): string => {
  const path = relative(dirname(from), to);
  const here = path.startsWith('.') ? path : `./${path}`;
  const specifier = isCore(to) ? to : to.startsWith('node_modules/') ? 'tool' : here;
  return `import * as imported from '${specifier}';\nexport const used = imported;\n`;
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'import-rules-'));
  write('package.json', '{ "type": "module", "devDependencies": { "tool": "1.0.0" } }');
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true } }',
  );
  write('node_modules/tool/package.json', '{ "name": "tool", "version": "1.0.0", "main": "index.js" }');
  for (const folder of [...sourceFolders, 'test']) write(`${folder}/empty.ts`, 'export {};\n');
  for (const [, to] of Object.values(forbidden))
    if (!to.endsWith('missing.ts') && !isCore(to)) write(to, 'export {};\n');
  for (const [from, to] of Object.values(forbidden)) write(from, importing(from, to));
  write('local/b.ts', importing('local/b.ts', 'local/a.ts'));
  const args = ['--config', config, '--output-type', 'json', ...sourceFolders, 'test'];
  const { stdout } = spawnSync(`${checkout}/node_modules/.bin/depcruise`, args, {
    cwd: root,
    encoding: 'utf8',
  });
  violations = JSON.parse(stdout).summary.violations;
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('every rule has an import that violates it', () => {
  expect(Object.keys(forbidden).sort()).toEqual([...rules].sort());
});

test.each(Object.entries(forbidden))('%s is reported when it is violated', (name, [from]) => {
  expect(violations.filter(({ rule }) => rule.name === name).map((one) => one.from)).toContain(from);
});
