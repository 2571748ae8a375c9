import { expect, test } from 'vitest';
import { registryCall } from '../../../functions/domain/operation/registry-call.ts';
import { gasAccount } from './gas-accounts.ts';
import { gasAttestation } from './gas-attestation.ts';

const terms = {
  chainId: 31337,
  registryAddress: gasAccount('registry').address,
  delegateAddress: gasAccount('delegate').address,
  authorityAddress: gasAccount('authority').address,
};

test('makes the same calldata every time, since gas depends on its bytes', () => {
  const calls = () => registryCall(gasAttestation({ ...terms, text: 'one' }), 'reveal').data;
  expect(calls()).toBe(calls());
});

test('makes other calldata for another text', () => {
  const call = (text: string) => registryCall(gasAttestation({ ...terms, text }), 'commit').data;
  expect(call('one')).not.toBe(call('two'));
});
