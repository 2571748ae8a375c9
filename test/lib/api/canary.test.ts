import { expect, test } from 'vitest';
import { functionAccess } from '../../../lib/access/function-access.ts';
import { referenceOf, synthesize } from '../synthesize.ts';

const template = synthesize();
const routes = Object.values(functionAccess).filter((access) => 'route' in access);

const aliases = Object.entries(template.findResources('AWS::Lambda::Alias'));
const canaried = aliases.filter(([, { UpdatePolicy }]) => UpdatePolicy !== undefined);

test("a deployment gives each route's new version a tenth of the requests first", () => {
  const groups = template.findResources('AWS::CodeDeploy::DeploymentGroup');
  expect(canaried).toHaveLength(routes.length);
  for (const [, { UpdatePolicy, Properties }] of canaried) {
    const group = groups[referenceOf(UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName)];
    expect(referenceOf(Properties.FunctionName)).toMatch(/^Api/);
    expect(group?.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
    expect(referenceOf(group?.Properties.AlarmConfiguration.Alarms[0].Name)).toMatch(/^AlarmsApiErrors/);
  }
});

test('what workflows call is replaced at once: a lane is one, and a tenth of it would be a second version of it', () => {
  const others = aliases
    .filter((one) => !canaried.includes(one))
    .map(([id]) => id.slice(0, -'Aliaslive'.length - 8));
  expect(others.filter((id) => id.startsWith('Api'))).toEqual([expect.stringMatching(/^ApiUnrouted/)]);
  expect(others.filter((id) => id.startsWith('Workflow'))).toHaveLength(6);
});

test('a deployment all at once has no canary, which would roll back what mends an alarm', () => {
  const atOnce = synthesize({ allAtOnce: true });
  atOnce.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
  for (const { UpdatePolicy } of Object.values(atOnce.findResources('AWS::Lambda::Alias')))
    expect(UpdatePolicy).toBeUndefined();
});

test('leaves canaries out on emulators, which have no CodeDeploy', () => {
  const onEmulator = synthesize({ emulator: true });
  onEmulator.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
  for (const { UpdatePolicy } of Object.values(onEmulator.findResources('AWS::Lambda::Alias')))
    expect(UpdatePolicy).toBeUndefined();
});
