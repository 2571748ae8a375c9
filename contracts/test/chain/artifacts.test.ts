import { readdirSync, readFileSync } from 'node:fs';
import { keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { delegateForwarderBytecode } from '../../artifacts/delegate-forwarder-bytecode.ts';
import { compileContracts } from '../../compile/compile-contracts.ts';
import codeHashes from '../../deploy/code-hashes.json' with { type: 'json' };
import { forwarderDeployment } from '../../deploy/forwarder-deployment.ts';
import { registryDeployment } from '../../deploy/registry-deployment.ts';

// Verifiers compare the registry's code with these published hashes. If a test fails, undo the change of the compiler's
// input, or publish the new contracts and their addresses in contracts/deploy/code-hashes.json.

const registry = registryDeployment(60);

test('`code-hashes.json` has the hashes of the registry with the production delay', () => {
  expect(codeHashes.AttestationRegistry).toEqual({
    revealDelaySeconds: 60,
    address: registry.address,
    initCodeHash: keccak256(`0x${registry.proxyCalldata.slice(2 + 64)}`),
    runtimeCodeHash: keccak256(registry.runtimeCode),
  });
});

test('`code-hashes.json` has the hashes of the forwarder, which do not depend on its admin', () => {
  const deployment = forwarderDeployment(registry.address, `0x${'ad'.repeat(20)}`);
  expect(codeHashes.DelegateForwarder).toEqual({
    registry: registry.address,
    creationCodeHash: keccak256(delegateForwarderBytecode),
    runtimeCodeHash: keccak256(deployment.runtimeCode),
  });
});

test('the storage layout matches docs/contracts.md', () => {
  const rows = readFileSync('docs/contracts.md', 'utf8').matchAll(/^\| (\d+) \| `(_\w+)` \|/gm);
  const { storage = [] } = compileContracts().get('AttestationRegistry')?.storageLayout ?? {};
  expect([...rows].map(([, slot, label]) => ({ label, slot }))).toEqual(
    storage.map(({ label, slot }) => ({ label, slot })),
  );
  expect(storage).toHaveLength(9);
});

test('every Solidity source names the license of the repository', () => {
  const sources = readdirSync('contracts', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sol'),
  );
  expect(sources.length).toBeGreaterThan(20);
  for (const name of sources) {
    expect([name, readFileSync(`contracts/${name}`, 'utf8').split('\n')[0]]).toEqual([
      name,
      '// SPDX-License-Identifier: MIT',
    ]);
  }
});
