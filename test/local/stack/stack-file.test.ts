import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { emulatorApiUrl } from '../../../local/stack/deploy-service.ts';
import {
  readStackFile,
  type StackFile,
  StackMissingError,
  stackFilePath,
  writeStackFile,
} from '../../../local/stack/stack-file.ts';

const directory = mkdtempSync(`${tmpdir()}/imprimatur-stack-`);
afterAll(() => rmSync(directory, { recursive: true }));

const file: StackFile = {
  apiUrl: 'http://127.0.0.1:4566/restapis/abc/live/_user_request_',
  apiKey: 'imp_test_key',
  organizationId: '01900000-0000-7000-8000-000000000000',
  authorityAddress: `0x${'a'.repeat(40)}`,
  chainId: 31337,
  rpcUrl: 'http://127.0.0.1:8545',
  registryAddress: `0x${'b'.repeat(40)}`,
  delegateAddress: `0x${'c'.repeat(40)}`,
  signerAddress: `0x${'c'.repeat(40)}`,
  forwarderAddress: `0x${'d'.repeat(40)}`,
  revealDelaySeconds: 60,
  endpointUrl: 'http://127.0.0.1:4566',
  region: 'us-east-1',
};

describe('stack.json', () => {
  it('is missing before a stack has run', () => {
    expect(() => readStackFile(directory)).toThrow(StackMissingError);
    expect(() => readStackFile(directory)).toThrow('start one with npm start');
  });

  it('can be read by its owner alone, whoever could read the one before', () => {
    writeFileSync(stackFilePath(directory), '{}', { mode: 0o644 });
    writeStackFile(directory, file);
    expect(statSync(stackFilePath(directory)).mode & 0o777).toBe(0o600);
    expect(readStackFile(directory)).toEqual(file);
  });
});

describe('emulatorApiUrl', () => {
  it("moves the API's name from the host into the path", () => {
    const apiUrl = emulatorApiUrl(
      'http://127.0.0.1:4566',
      'https://abc123.execute-api.us-east-1.amazonaws.com/live',
    );
    expect(apiUrl).toBe('http://127.0.0.1:4566/restapis/abc123/live/_user_request_');
  });
});
