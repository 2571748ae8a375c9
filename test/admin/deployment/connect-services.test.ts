import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import { hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { connectServices } from '../../../admin/deployment/connect-services.ts';
import { operatorErrorLine } from '../../../admin/error-line.ts';
import { RpcUrlsMissingError } from '../../../admin/terminal/errors.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { FakeDeployment } from '../commands/fake-deployment.ts';
import { answeringServer } from './answering-server.ts';

const accounts = new Map(
  ['own', 'second'].map((keyId, position) => [
    keyId,
    privateKeyToAccount(`0x${`${position + 1}`.repeat(64)}`),
  ]),
);
const header = '3056301006072a8648ce3d020106052b8104000a034200';
const outputs = {
  ...{
    AttestationsTable: 'a',
    LanesTable: 'l',
    QueueTable: 'q',
    OrganizationsTable: 'o',
    WebhooksTable: 'w',
    SigningKeyId: 'own',
  },
  ...{ AttestStateMachineArn: 'arn:aws:states:eu-west-1:1:stateMachine:attest', RpcUrlsPath: '/p' },
  ...{ LaneStateMachineArn: 'arn:aws:states:eu-west-1:1:stateMachine:lane', SettingsParameter: '/s' },
};

/** Services on an AWS that knows two public keys and starts whatever it is asked to. */
async function services() {
  const asked: Record<string, unknown>[] = [];
  const endpoint = await answeringServer((body) => {
    const request = JSON.parse(body);
    asked.push(request);
    const publicKey = accounts.get(request.KeyId)?.publicKey.slice(2);
    const der = Buffer.from(hexToBytes(`0x${header}${publicKey ?? ''}`)).toString('base64');
    return { body: JSON.stringify({ PublicKey: der, executionArn: 'x', startDate: 1 }) };
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const configuration = { endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 };
  const connected = connectServices({
    ...{ records: new MemoryRecords(), outputs, settings: await new FakeDeployment().settings() },
    ...{ kms: new KMSClient(configuration), states: new SFNClient(configuration) },
    providers: async ({ chainId }) => Promise.reject(new RpcUrlsMissingError(chainId, `/p/${chainId}`)),
  });
  return { connected, asked };
}

test("signs with the stack's own key, and with others by their ids", async () => {
  const { connected } = await services();
  expect((await connected.signer()).address).toBe(accounts.get('own')?.address);
  expect((await connected.signer('second')).address).toBe(accounts.get('second')?.address);
});

test("starts lanes with the deployment's state machine", async () => {
  const { connected, asked } = await services();
  await connected.executions.startLane({ lane: '1-0x', run: 2 });
  expect(asked).toEqual([
    expect.objectContaining({ stateMachineArn: outputs.LaneStateMachineArn, name: '1-0x-2' }),
  ]);
});

test('knows the chains of the settings alone, and asks for their providers when one is needed', async () => {
  const { connected } = await services();
  expect(() => connected.chain(5)).toThrow('chain 5 is not served');
  const error = await connected
    .chain(31_337)
    .head()
    .then(String, (failure: unknown) => failure);
  expect(operatorErrorLine(error, { kind: 'cloud', stackName: 'Imprimatur' })).toMatch(
    /^no RPC URL of chain 31337 is set/,
  );
});
