import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { KMSClient } from '@aws-sdk/client-kms';
import { SSMClient } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { stackRemoval } from '../../../admin/account/stack-removal.ts';
import { answeringServer, type Reply } from '../../fakes/rpc/answering-server.ts';

const xml = (action: string, body: string): Reply => ({
  body: `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`,
});

/** CloudFormation's answer to a request by name for a stack that it does not know. */
const unknownStack: Reply = {
  status: 400,
  body: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id S does not exist</Message></Error></ErrorResponse>',
};

const throttled: Reply = {
  status: 400,
  body: '<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>',
};

const resources = (...states: readonly string[]): Reply =>
  xml(
    'ListStackResources',
    `<StackResourceSummaries>${states
      .map((state, index) => {
        const [status, why] = state.split(': ');
        const reason = why ? `<ResourceStatusReason>${why}</ResourceStatusReason>` : '';
        return `<member><LogicalResourceId>R${index}</LogicalResourceId><ResourceStatus>${status}</ResourceStatus>${reason}</member>`;
      })
      .join('')}</StackResourceSummaries>`,
  );

const stackIn = (status: string): Reply =>
  xml('DescribeStacks', `<Stacks><member><StackStatus>${status}</StackStatus></member></Stacks>`);

async function removalOn(answer: (action: string, body: string) => Reply) {
  const asked: string[] = [];
  const endpoint = await answeringServer((body, { headers }) => {
    const target = headers['x-amz-target'];
    const action = target ? String(target).split('.').at(-1) : new URLSearchParams(body).get('Action');
    asked.push(action ?? '');
    return answer(action ?? '', body);
  });
  const configuration = {
    ...{ endpoint, region: 'eu-west-1' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const clients = {
    cloudFormation: new CloudFormationClient(configuration),
    ssm: new SSMClient(configuration),
    kms: new KMSClient(configuration),
  };
  return { removal: stackRemoval('S', clients, async () => {}), asked };
}

/** Deletes a stack that CloudFormation describes with these answers in turn. */
async function deletion(answers: Reply[], left: Reply, onDelete = xml('DeleteStack', '')) {
  const lines: string[] = [];
  const { removal, asked } = await removalOn((action) => {
    if (action === 'DeleteStack') return onDelete;
    return action === 'ListStackResources' ? left : (answers.shift() ?? unknownStack);
  });
  const error = await removal.deleteStack((line) => lines.push(line)).catch(({ message }) => message);
  return { error, lines, deletes: asked.filter((action) => action === 'DeleteStack').length };
}

test('`deleteStack` reports progress until CloudFormation no longer knows the stack', async () => {
  const inProgress = stackIn('DELETE_IN_PROGRESS');
  const left = resources('DELETE_COMPLETE', 'DELETE_IN_PROGRESS', 'CREATE_COMPLETE');
  expect(await deletion([stackIn('CREATE_COMPLETE'), throttled, inProgress], left)).toEqual({
    error: undefined,
    lines: ['S is CREATE_COMPLETE, with 2 resources left', 'S is DELETE_IN_PROGRESS, with 2 resources left'],
    deletes: 1,
  });
});

test('`deleteStack` ends if the stack is gone between two requests, and if an emulator describes it as deleted', async () => {
  expect(await deletion([stackIn('DELETE_IN_PROGRESS')], unknownStack)).toMatchObject({
    error: undefined,
    lines: ['S is DELETE_IN_PROGRESS, with 0 resources left'],
  });
  expect(await deletion([stackIn('DELETE_COMPLETE')], unknownStack)).toMatchObject({ lines: [] });
});

test('`deleteStack` throws the reason of each resource that cannot be deleted', async () => {
  const left = resources('DELETE_FAILED: table is protected', 'CREATE_COMPLETE', 'DELETE_FAILED');
  const { error } = await deletion([stackIn('DELETE_FAILED')], left);
  expect(error).toBe(
    'the stack S is DELETE_FAILED: R0: table is protected; R2: without a reason. Fix this, then run teardown again',
  );
  const { error: refusal } = await deletion([], left, {
    status: 400,
    body: '<ErrorResponse><Error><Code>ValidationError</Code><Message>TerminationProtection is enabled</Message></Error></ErrorResponse>',
  });
  expect(refusal).toBe('TerminationProtection is enabled');
});

test('`deleteStack` stops waiting after an hour', async () => {
  const { removal } = await removalOn((action) => {
    if (action === 'DeleteStack') return xml(action, '');
    return action === 'ListStackResources' ? resources('CREATE_COMPLETE') : stackIn('DELETE_IN_PROGRESS');
  });
  await expect(removal.deleteStack(() => {})).rejects.toThrow('still exists after 60 minutes');
});

test("the removal finds the stack's parameters and rotated keys across pages, and no others", async () => {
  const { removal } = await removalOn((action, body) => {
    const first = !body.includes('more');
    if (action === 'DescribeParameters') {
      const Parameters = [{ Name: first ? '/S/settings' : '/S/rpc-urls/1' }, { Name: '/S2/settings' }];
      return { body: JSON.stringify({ Parameters, ...(first && { NextToken: 'more' }) }) };
    }
    const prefix = 'alias/imprimatur/S';
    const Aliases = first
      ? [{ AliasName: 'alias/S/signing', TargetKeyId: 'k' }]
      : [
          { AliasName: `${prefix}/signer-1`, TargetKeyId: 'k1' },
          { AliasName: `${prefix}/signer-2` },
          { AliasName: `${prefix}2/signer-1`, TargetKeyId: 'k3' },
        ];
    return { body: JSON.stringify({ Aliases, ...(first && { Truncated: true, NextMarker: 'more' }) }) };
  });
  expect(await removal.parameters()).toEqual(['/S/rpc-urls/1', '/S/settings']);
  expect(await removal.signerKeys()).toEqual([{ alias: 'alias/imprimatur/S/signer-1', keyId: 'k1' }]);
});
