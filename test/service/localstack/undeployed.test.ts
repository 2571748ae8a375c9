import { readFileSync } from 'node:fs';
import {
  CloudFormationClient,
  CreateStackCommand,
  paginateDescribeStackEvents,
  paginateListStackResources,
  type StackEvent,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../../lib/environment/read-environment.ts';
import { environmentStack } from '../../../lib/stack-of.ts';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { inApp } from '../../lib/synthesize.ts';
import { endpoint } from '../stack/aws.ts';
import { stack } from '../stack/running-stack.ts';

/** Types of `environments/production.json` that LocalStack does not deploy. The list may only get shorter. */
const undeployed = [
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::StepFunctions::StateMachineAlias',
  'AWS::StepFunctions::StateMachineVersion',
  'AWS::WAFv2::WebACL',
  'AWS::WAFv2::WebACLAssociation',
  'Custom::CDKBucketDeployment',
];

/** The function of this resource calls CloudFront. */
const notOffered = ['Custom::CDKBucketDeployment'];

interface Resource {
  readonly Type: string;
  readonly Properties?: object;
}
type Resources = Readonly<Record<string, Resource>>;

const cloudFormation = new CloudFormationClient(clientOptions(endpoint));
const stackName = stack.stackName ?? 'Imprimatur';
const anEmptyZip = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

async function collect<Page, Item>(pages: AsyncIterable<Page>, of: (page: Page) => Item[] | undefined) {
  const items: Item[] = [];
  for await (const page of pages) items.push(...(of(page) ?? []));
  return items;
}

const eventsOf = (StackName: string) =>
  collect(paginateDescribeStackEvents({ client: cloudFormation }, { StackName }), (page) => page.StackEvents);

/** LocalStack reports a type without an implementation as deployed, with this reason. */
const isDeployed = ({ ResourceStatus, ResourceStatusReason = '' }: StackEvent) =>
  ResourceStatus === 'CREATE_COMPLETE' && !ResourceStatusReason.includes('deployed as a fallback');

const typesDeployed = (events: StackEvent[]) =>
  new Set(events.filter(isDeployed).map(({ ResourceType }) => ResourceType));

/** Replaces references to other resources by the ids of those in the running stack. */
function withIds(value: unknown, own: Resources, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, own, ids));
  if (value === null || typeof value !== 'object') return value;
  const { Ref: ref, 'Fn::GetAtt': [owner] = [ref] } = value as { Ref?: string; 'Fn::GetAtt'?: string[] };
  if (owner !== undefined && !(owner in own) && !owner.startsWith('AWS::')) return ids.get(owner) ?? owner;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withIds(item, own, ids)]));
}

/** Deploys resources beside the running stack. @returns the types that LocalStack has deployed */
async function offer(resources: Resources) {
  const running = paginateListStackResources({ client: cloudFormation }, { StackName: stackName });
  const summaries = await collect(running, (page) => page.StackResourceSummaries);
  const ids = new Map(
    summaries.map(({ LogicalResourceId = '', PhysicalResourceId = '' }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  );
  const own = Object.entries(resources).map(([id, { Type, Properties }]) => [
    id,
    { Type, Properties: withIds(Properties, resources, ids) },
  ]);
  const template = { Resources: Object.fromEntries(own) };
  const name = `${stackName}-rest`;
  await cloudFormation.send(
    new CreateStackCommand({ StackName: name, TemplateBody: JSON.stringify(template) }),
  );
  await waitUntilStackCreateComplete({ client: cloudFormation, maxWaitTime: 280 }, { StackName: name });
  return typesDeployed(await eventsOf(name));
}

/** Uploads an empty archive as the layer's code, because only a deployment to AWS uploads that code. */
async function uploadLayer(resources: Resources): Promise<void> {
  const layer = Object.values(resources).find(({ Type }) => Type === 'AWS::Lambda::LayerVersion');
  if (!layer) throw new Error('production has no layer');
  const { Content } = layer.Properties as { Content: { S3Bucket: string; S3Key: string } };
  const bucket = `${stack.endpointUrl}/${Content.S3Bucket}`;
  await fetch(bucket, { method: 'PUT' });
  await fetch(`${bucket}/${Content.S3Key}`, { method: 'PUT', body: anEmptyZip });
}

test('LocalStack deploys every resource type of production, except those that are listed', async () => {
  const template = inApp(environmentStack(readEnvironment('production')), Template.fromStack);
  const production = Object.entries((template.toJSON() as { Resources: Resources }).Resources);
  const deployed = typesDeployed(await eventsOf(stackName));
  const rest = Object.fromEntries(
    production.filter(([, { Type }]) => !deployed.has(Type) && !notOffered.includes(Type)),
  );
  await uploadLayer(rest);
  const deployedToo = await offer(rest);
  const missing = production
    .map(([, { Type }]) => Type)
    .filter((type) => !deployed.has(type) && !deployedToo.has(type));
  expect([...new Set(missing)].sort()).toEqual(undeployed);
});

test('the documentation lists what LocalStack does not deploy', () => {
  const page = readFileSync('docs/operations/reference/local-stack.md', 'utf8');
  const [, section = ''] = page.split('## Not on LocalStack\n');
  const listed = [...section.matchAll(/`((?:AWS|Custom)::\w+(?:::\w+)?)`/g)].map(([, type]) => type);
  expect(listed.sort()).toEqual(undeployed);
});
