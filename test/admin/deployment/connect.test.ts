import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SSMClient } from '@aws-sdk/client-ssm';
import { type Hex, hexToBytes, pad, zeroHash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { connectServices } from '../../../admin/deployment/connect.ts';
import { type ChainView, connectChain, findProviders } from '../../../admin/deployment/connect-chain.ts';
import type { Target } from '../../../admin/deployment/target.ts';
import { operatorErrorLine } from '../../../admin/error-line.ts';
import { RpcUrlsMissingError } from '../../../admin/terminal/errors.ts';
import { chainSettingsSchema } from '../../../functions/domain/settings.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { answeringServer, clientConfig, type Reply } from '../../fakes/rpc/answering-server.ts';
import { RpcServer } from '../../fakes/rpc/rpc-server.ts';
import { authority, FakeDeployment, registryAddress } from '../commands/fake-deployment.ts';

const settings = chainSettingsSchema.parse({ chainId: 31337, name: 'Local', registryAddress });

async function provider(result: Hex): Promise<string> {
  const server = new RpcServer(({ method }) => ({ result: method === 'eth_chainId' ? '0x7a69' : result }));
  onTestFinished(() => server.stop());
  return server.start();
}

function view(...urls: string[]): ChainView {
  return connectChain(settings, { urls, advice: 'do this' });
}

/** What `delegations` returns: an address and a time, one word each. */
const delegation = (delegate: Hex): Hex => `0x${pad(delegate).slice(2)}${zeroHash.slice(2)}`;

test('`delegateOf` returns null for the zero address', async () => {
  const chain = view(await provider(delegation('0x')));
  expect(await chain.delegateOf(registryAddress, authority)).toBeNull();
});

test('`delegateOf` reports an address without a registry', async () => {
  const chain = view(await provider('0x'));
  await expect(chain.delegateOf(registryAddress, authority)).rejects.toThrow(
    `there is no registry at ${registryAddress} on chain 31337; check registryAddress in the settings`,
  );
});

test("an unreachable chain's error contains the next step", async () => {
  const unreachable = 'no RPC provider responds as chain 31337; do this';
  const chain = view('http://127.0.0.1:2');
  await expect(chain.delegateOf(registryAddress, authority)).rejects.toThrow(unreachable);
  await expect(chain.transactionCounts(authority)).rejects.toThrow(unreachable);
});

const cloud: Target = { kind: 'cloud', stackName: 'Imprimatur' };

async function parameterStore(reply: Reply) {
  const ssm = new SSMClient(clientConfig(await answeringServer(() => reply)));
  return { ssm, path: '/Imprimatur/rpc-urls' };
}

const parameter = (value: string): Reply => ({ body: JSON.stringify({ Parameter: { Value: value } }) });
const refusal = (type: string): Reply => ({
  status: 400,
  body: JSON.stringify({ __type: type, message: type }),
});

test("`findProviders` reads the stored URLs, one per line, unless the chain is the local stack's", async () => {
  const store = await parameterStore(parameter('https://a.example\nhttps://b.example\n'));
  const local: Target = {
    ...{
      kind: 'local',
      emulator: 'ministack',
      stackName: 'Imprimatur',
      endpointUrl: 'http://127.0.0.1:1',
      region: 'us-east-1',
    },
    ...{ chainId: 31337, rpcUrl: 'http://127.0.0.1:2' },
  };
  const providers = {
    urls: ['https://a.example', 'https://b.example'],
    advice: expect.stringMatching(/ --name \/Imprimatur\/rpc-urls\/1 --value file:\/\/FILE$/),
  };
  expect(await findProviders(cloud, 1, store)).toEqual(providers);
  expect(await findProviders(local, 1, store)).toEqual(providers);
  expect((await findProviders(local, 31337, store)).urls).toEqual(['http://127.0.0.1:2']);
});

test.each([
  ['absent', refusal('ParameterNotFound')],
  ['empty', parameter(' \n')],
])('`findProviders` explains how to set URLs that are %s', async (_, reply) => {
  await expect(findProviders(cloud, 1, await parameterStore(reply))).rejects.toThrow(
    /^chain 1 has no RPC URLs; .* --name \/Imprimatur\/rpc-urls\/1 --value file:\/\/FILE$/,
  );
});

test('`findProviders` rethrows other errors of AWS', async () => {
  const store = await parameterStore(refusal('AccessDeniedException'));
  await expect(findProviders(cloud, 1, store)).rejects.toThrow('AccessDeniedException');
});

const accounts = new Map(
  ['own', 'second'].map((keyId, position) => [
    keyId,
    privateKeyToAccount(`0x${`${position + 1}`.repeat(64)}`),
  ]),
);
const header = '3056301006072a8648ce3d020106052b8104000a034200';
const outputs = {
  ...{ AttestationsTable: 'a', LanesTable: 'l', QueueTable: 'q', OrganizationsTable: 'o' },
  ...{ WebhooksTable: 'w', SigningKeyId: 'own' },
  ...{ AttestStateMachineArn: 'arn:aws:states:eu-west-1:1:stateMachine:attest', RpcUrlsPath: '/p' },
  ...{ LaneStateMachineArn: 'arn:aws:states:eu-west-1:1:stateMachine:lane', SettingsParameter: '/s' },
};

/** Services on a fake AWS with two public keys, which starts every execution. */
async function services() {
  const asked: Record<string, unknown>[] = [];
  const endpoint = await answeringServer((body) => {
    const request = JSON.parse(body);
    asked.push(request);
    const publicKey = accounts.get(request.KeyId)?.publicKey.slice(2);
    const der = Buffer.from(hexToBytes(`0x${header}${publicKey ?? ''}`)).toString('base64');
    return { body: JSON.stringify({ PublicKey: der, executionArn: 'x', startDate: 1 }) };
  });
  const configuration = clientConfig(endpoint);
  const connected = connectServices({
    ...{ records: new MemoryRecords(), outputs, settings: await new FakeDeployment().settings() },
    ...{ kms: new KMSClient(configuration), states: new SFNClient(configuration) },
    providers: async ({ chainId }) => Promise.reject(new RpcUrlsMissingError(chainId, `/p/${chainId}`)),
  });
  return { connected, asked };
}

test("the services sign with the stack's key, and with other keys by id", async () => {
  const { connected } = await services();
  expect((await connected.signer()).address).toBe(accounts.get('own')?.address);
  expect((await connected.signer('second')).address).toBe(accounts.get('second')?.address);
});

test("the services start lanes with the deployment's state machine", async () => {
  const { connected, asked } = await services();
  await connected.executions.startLane({ lane: '1-0x', run: 2 });
  expect(asked).toEqual([
    expect.objectContaining({ stateMachineArn: outputs.LaneStateMachineArn, name: '1-0x-2' }),
  ]);
});

test('the services know only the chains of the settings, and read providers on first use', async () => {
  const { connected } = await services();
  expect(() => connected.chain(5)).toThrow('chain 5 is not served');
  const error = await connected
    .chain(31_337)
    .head()
    .then(String, (failure: unknown) => failure);
  expect(operatorErrorLine(error, { kind: 'cloud', stackName: 'Imprimatur' })).toMatch(
    /^chain 31337 has no RPC URLs/,
  );
});
