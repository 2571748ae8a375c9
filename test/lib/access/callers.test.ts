import { expect, test } from 'vitest';
import { functionAccess } from '../../../lib/access/function-access.ts';
import { referenceOf, synthesize } from '../synthesize.ts';

const template = synthesize();

/** `WorkflowCommitAliaslive2B6F0A1C`, the alias, → `Commit live`. */
const idOf = (value: unknown) =>
  referenceOf(value)
    .replace(/^(?:Api|Workflow|Webhooks)/, '')
    .replace('Aliaslive', ' live')
    .replace(/[0-9A-F]{8}$/, '');

/** Construct ids of the functions that the role of a state machine may call. */
function calledBy(machine: 'Attest' | 'Lane'): string[] {
  const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
  const [, policy] = policies.find(([id]) => id.startsWith(`Workflow${machine}RoleDefaultPolicy`)) ?? [];
  const statements: { Action: string | string[]; Resource: unknown }[] =
    policy?.Properties.PolicyDocument.Statement;
  return statements
    .filter(({ Action }) => [Action].flat().includes('lambda:InvokeFunction'))
    .flatMap(({ Resource }) => [Resource].flat().map(idOf));
}

/** Construct ids of the functions that a service may call, and what of it may. */
function permitted(principal: string) {
  return Object.values(template.findResources('AWS::Lambda::Permission'))
    .map(({ Properties }) => Properties)
    .filter(({ Principal }) => Principal === principal)
    .map(({ FunctionName, SourceArn }) => ({ id: idOf(FunctionName), source: SourceArn }));
}

test('a state machine may call the functions of its states by their aliases, and no others', () => {
  expect(calledBy('Attest').sort()).toEqual(['Commit live', 'Confirm live', 'Fail live', 'Reveal live']);
  expect(calledBy('Lane')).toEqual(['AdvanceLane live']);
});

test('API Gateway may call the functions of the routes, for this API', () => {
  const called = permitted('apigateway.amazonaws.com');
  const routes = Object.keys(functionAccess).filter((file) => file.startsWith('api/'));
  expect(new Set(called.map(({ id }) => id)).size).toBe(routes.length);
  for (const { source } of called) expect(JSON.stringify(source)).toContain('{"Ref":"Api');
});

test('EventBridge may call the sweep and what sends to webhooks alone, each by its schedule', () => {
  const called = permitted('events.amazonaws.com').map(({ id, source }) => [id, referenceOf(source)]);
  expect(called).toEqual([
    ['Sweep', expect.stringMatching(/^WorkflowSweepSchedule/)],
    ['SendDeliveries', expect.stringMatching(/^WebhooksSchedule/)],
  ]);
});
