import { KMSClient } from '@aws-sdk/client-kms';
import { hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { kmsSignerKeys } from '../../../admin/deployment/kms-signer-keys.ts';
import { answeringServer, clientConfig, type Reply } from '../../fakes/rpc/answering-server.ts';

const alias = 'alias/imprimatur/Imprimatur/signer-1';
const keyId = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd';
const ownKeyId = 'own-key';
const policy = '{"Statement":[]}';
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const header = '3056301006072a8648ce3d020106052b8104000a034200';
const der = Buffer.from(hexToBytes(`0x${header}${account.publicKey.slice(2)}`)).toString('base64');

const ok = (body: object): Reply => ({ body: JSON.stringify(body) });
const refusal = (type: string): Reply => ({ status: 400, body: JSON.stringify({ __type: type }) });

async function fakeKms(replies: { aliased: Reply; alias?: Reply; deletion?: Reply; policy?: string }) {
  const asked: Record<string, unknown>[] = [];
  const endpoint = await answeringServer((body) => {
    const request = JSON.parse(body);
    asked.push(request);
    if (request.KeyId === ownKeyId) return ok({ Policy: policy });
    if ('KeySpec' in request) return ok({ KeyMetadata: { Arn: keyId, KeyId: '1234abcd' } });
    if ('AliasName' in request) return replies.alias ?? ok({});
    if ('PendingWindowInDays' in request) return replies.deletion ?? ok({ KeyId: keyId });
    if (request.KeyId !== keyId) return replies.aliased;
    return ok({ KeyId: keyId, PublicKey: der, Policy: replies.policy ?? policy });
  });
  return { keys: kmsSignerKeys(new KMSClient(clientConfig(endpoint)), ownKeyId), asked };
}

test('`find` returns the key with the alias, identified by its ARN', async () => {
  const { keys } = await fakeKms({ aliased: ok({ KeyId: keyId, PublicKey: der }) });
  expect(await keys.find(alias)).toEqual({ keyId, address: account.address });
});

test("`find` gives the key the policy of the stack's key if it differs", async () => {
  const former = await fakeKms({
    aliased: ok({ KeyId: keyId, PublicKey: der }),
    policy: '{"Statement":[1]}',
  });
  expect(await former.keys.find(alias)).toEqual({ keyId, address: account.address });
  expect(former.asked.at(-1)).toEqual({ KeyId: keyId, Policy: policy });
  const present = await fakeKms({ aliased: ok({ KeyId: keyId, PublicKey: der }) });
  await present.keys.find(alias);
  expect(present.asked.every((request) => !('Policy' in request))).toBe(true);
});

test('`find` returns undefined if no key has the alias', async () => {
  const { keys } = await fakeKms({ aliased: refusal('NotFoundException') });
  expect(await keys.find(alias)).toBeUndefined();
});

test.each(['DisabledException', 'KMSInvalidStateException'])(
  '`find` returns `unusable` on %s',
  async (type) => {
    const { keys } = await fakeKms({ aliased: refusal(type) });
    expect(await keys.find(alias)).toBe('unusable');
  },
);

test('`find` rethrows other errors', async () => {
  const { keys } = await fakeKms({ aliased: refusal('AccessDeniedException') });
  await expect(keys.find(alias)).rejects.toThrow();
});

test("`create` creates an alias, and a secp256k1 key with the policy of the stack's key", async () => {
  const { keys, asked } = await fakeKms({ aliased: refusal('NotFoundException') });
  expect(await keys.create(alias)).toEqual({ keyId, address: account.address });
  expect(asked[1]).toMatchObject({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', Policy: policy });
  expect(asked[2]).toEqual({ AliasName: alias, TargetKeyId: keyId });
});

test('`create` deletes a key whose alias fails', async () => {
  const taken = refusal('AlreadyExistsException');
  const { keys, asked } = await fakeKms({ aliased: refusal('NotFoundException'), alias: taken });
  await expect(keys.create(alias)).rejects.toThrow();
  expect(asked.at(-1)).toEqual({ KeyId: keyId, PendingWindowInDays: 7 });
});

test('`create` reports a key that it can neither alias nor delete', async () => {
  const { keys } = await fakeKms({
    aliased: refusal('NotFoundException'),
    alias: refusal('AlreadyExistsException'),
    deletion: refusal('AccessDeniedException'),
  });
  const error = await keys.create(alias).catch((one) => one);
  expect(error.message).toMatch(
    /signer-1 .*\(AlreadyExistsException\).*schedule-key-deletion --key-id arn:aws:kms:.*1234abcd /,
  );
});
