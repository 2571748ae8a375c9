import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { environments, referenceOf, synthesize } from '../synthesize.ts';

const onAws = synthesize();
const onEmulator = synthesize({ emulator: 'ministack' });

function machine(template: Template, name: string) {
  const [found] = Object.values(
    template.findResources('AWS::StepFunctions::StateMachine', { Properties: { StateMachineName: name } }),
  );
  return found?.Properties ?? {};
}

describe.each([
  ['AWS', onAws],
  ['the emulator', onEmulator],
])('on %s', (_, template) => {
  test('the state machines invoke functions by their aliases', () => {
    const attest = machine(template, 'Imprimatur-attest').DefinitionSubstitutions;
    const { LaneDefinition, ...lane } = machine(template, 'Imprimatur-lane').DefinitionSubstitutions;
    expect(LaneDefinition).toBeUndefined();
    const called: Record<string, unknown> = { ...attest, ...lane };
    expect(Object.keys(called).sort()).toEqual([
      'AdvanceLaneFunction',
      'CommitFunction',
      'ConfirmFunction',
      'FailFunction',
      'RevealFunction',
    ]);
    const aliases = template.findResources('AWS::Lambda::Alias');
    for (const [name, value] of Object.entries(called)) {
      const { Name, FunctionName } = aliases[referenceOf(value)]?.Properties ?? {};
      expect([Name, `${referenceOf(FunctionName).slice('Workflow'.length, -8)}Function`]).toEqual([
        'live',
        name,
      ]);
    }
  });

  test('replaced versions of functions are retained', () => {
    const versions = Object.values(template.findResources('AWS::Lambda::Version'));
    expect(versions.length).toBe(Object.keys(environments(template)).length);
    for (const version of versions) expect(version).toMatchObject({ DeletionPolicy: 'Retain' });
  });

  test('the lane machine and its function have the same definition fingerprint', () => {
    const { States } = JSON.parse(machine(template, 'Imprimatur-lane').DefinitionString);
    const { LANE_DEFINITION: expected } = environments(template).AdvanceLane ?? {};
    expect(expected).toMatch(/^[0-9a-f]{16}$/);
    expect(States.AdvanceLane.Parameters.Payload.definition).toBe(expected);
  });

  test('the timeout of the task tokens is a number', () => {
    const { States } = JSON.parse(machine(template, 'Imprimatur-attest').DefinitionString);
    expect(States.Commit.TimeoutSeconds).toBe(77);
    expect(States.Reveal.TimeoutSeconds).toBe(77);
  });

  test('every placeholder of the definitions has a substitution', () => {
    for (const name of ['Imprimatur-attest', 'Imprimatur-lane']) {
      const { DefinitionString, DefinitionSubstitutions } = machine(template, name);
      const placeholders = DefinitionString.match(/(?<=\$\{)\w+(?=\})/g);
      expect(new Set(placeholders)).toEqual(new Set(Object.keys(DefinitionSubstitutions)));
    }
  });

  test('the state machines log errors without execution data', () => {
    for (const name of ['Imprimatur-attest', 'Imprimatur-lane'])
      expect(machine(template, name).LoggingConfiguration).toMatchObject({
        IncludeExecutionData: false,
        Level: 'ERROR',
      });
  });

  test('the sweep runs every minute', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [
        Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^WorkflowSweep'), 'Arn'] } }),
      ],
    });
  });
});

test('executions on AWS start through an alias of a retained version', () => {
  const versions = onAws.findResources('AWS::StepFunctions::StateMachineVersion');
  expect(Object.values(versions).map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Retain', 'Retain']);
  const aliases = Object.values(onAws.findResources('AWS::StepFunctions::StateMachineAlias'));
  expect(aliases.map(({ Properties }) => Properties.Name)).toEqual(['live', 'live']);
  const { ATTEST_STATE_MACHINE_ARN } = environments(onAws).CreateAttestation ?? {};
  expect(JSON.stringify(ATTEST_STATE_MACHINE_ARN)).toContain(':stateMachine:Imprimatur-attest:live"');
});

test("the emulator's stack has no versions of state machines", () => {
  onEmulator.resourceCountIs('AWS::StepFunctions::StateMachineVersion', 0);
  onEmulator.resourceCountIs('AWS::StepFunctions::StateMachineAlias', 0);
  const { LANE_STATE_MACHINE_ARN } = environments(onEmulator).Commit ?? {};
  expect(JSON.stringify(LANE_STATE_MACHINE_ARN)).toContain(':stateMachine:Imprimatur-lane"');
});

function properties(type: string) {
  const found = Object.values(onAws.findResources(type)).map((resource) => resource.Properties);
  expect(found.length).toBeGreaterThan(0);
  return found;
}

test('tracing is off', () => {
  for (const { TracingConfig } of properties('AWS::Lambda::Function')) expect(TracingConfig).toBeUndefined();
  for (const { TracingEnabled } of properties('AWS::ApiGateway::Stage'))
    expect(TracingEnabled).toBeUndefined();
  for (const { TracingConfiguration } of properties('AWS::StepFunctions::StateMachine'))
    expect(TracingConfiguration).toBeUndefined();
});

test('the template for LocalStack lacks only versions and aliases of state machines', () => {
  const typesOf = (template: Template) =>
    new Set(Object.values<{ Type: string }>(template.toJSON().Resources).map(({ Type }) => Type));
  const onLocalStack = typesOf(synthesize({ emulator: 'localstack' }));
  expect([...typesOf(onAws)].filter((type) => !onLocalStack.has(type))).toEqual([
    'AWS::StepFunctions::StateMachineVersion',
    'AWS::StepFunctions::StateMachineAlias',
  ]);
});
