import { SSMClient } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { findProviders } from '../../../admin/deployment/connect-chain.ts';
import type { Target } from '../../../admin/deployment/target.ts';
import { answeringServer, type Reply } from './answering-server.ts';

const cloud: Target = { kind: 'cloud', stackName: 'Imprimatur' };

/** The parameter store, with one reply to everything. */
async function parameterStore(reply: Reply) {
  const endpoint = await answeringServer(() => reply);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const ssm = new SSMClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  return { ssm, path: '/Imprimatur/rpc-urls' };
}

const parameter = (value: string): Reply => ({ body: JSON.stringify({ Parameter: { Value: value } }) });
const refusal = (type: string): Reply => ({
  status: 400,
  body: JSON.stringify({ __type: type, message: type }),
});

test("takes the stored URLs, one a line, of a chain that is not the local stack's", async () => {
  const store = await parameterStore(parameter('https://a.example\nhttps://b.example\n'));
  const local: Target = {
    ...{ kind: 'local', stackName: 'Imprimatur', endpointUrl: 'http://127.0.0.1:1', region: 'us-east-1' },
    ...{ chainId: 31337, rpcUrl: 'http://127.0.0.1:2' },
  };
  const providers = {
    urls: ['https://a.example', 'https://b.example'],
    advice: 'check their URLs in the SSM parameter /Imprimatur/rpc-urls/1',
  };
  expect(await findProviders(cloud, 1, store)).toEqual(providers);
  expect(await findProviders(local, 1, store)).toEqual(providers);
  expect((await findProviders(local, 31337, store)).urls).toEqual(['http://127.0.0.1:2']);
});

test.each([
  ['absent', refusal('ParameterNotFound')],
  ['empty', parameter(' \n')],
])('says how to set URLs that are %s', async (_, reply) => {
  await expect(findProviders(cloud, 1, await parameterStore(reply))).rejects.toThrow(
    /^no RPC URL of chain 1 is set; .* --name \/Imprimatur\/rpc-urls\/1 --value file:\/\/FILE$/,
  );
});

test('passes on any other refusal of AWS', async () => {
  const store = await parameterStore(refusal('AccessDeniedException'));
  await expect(findProviders(cloud, 1, store)).rejects.toThrow('AccessDeniedException');
});
