import { Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../lib/environment/environment.ts';
import { readEnvironment } from '../../lib/environment/read-environment.ts';
import type { ImprimaturStack } from '../../lib/imprimatur-stack.ts';
import { environmentStack } from '../../lib/stack-of.ts';
import { inApp } from '../lib/synthesize.ts';
import { installCfnLint, lintTemplates, validateDefinition } from './linters.ts';

/** A finding of a rule at a construct, or the acknowledgment of one. */
interface Finding {
  readonly rule: string;
  readonly path: string;
}

function findingsIn(stack: ImprimaturStack): Finding[] {
  const { violations } = new AwsSolutionsChecks().validateScope(stack);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, path: constructPath })),
  );
}

/** Removes all acknowledgments. @returns their findings */
function removeAcknowledgments(stack: ImprimaturStack): Finding[] {
  return stack.node.findAll().flatMap(({ node }) => {
    const acknowledgments = node.metadata.filter(
      ({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY,
    );
    const rules = acknowledgments.flatMap(({ data }) => Object.keys(data));
    for (const { data } of acknowledgments) for (const rule of Object.keys(data)) delete data[rule];
    return rules.map((rule) => ({ rule: rule.replace(/^annotation::/i, ''), path: node.path }));
  });
}

function examine(environment: Environment) {
  return inApp(environmentStack(environment), (stack) => {
    const template = Template.fromStack(stack).toJSON();
    const acknowledgments = removeAcknowledgments(stack);
    return { template, acknowledgments, found: findingsIn(stack) };
  });
}

const production = examine(readEnvironment('production'));
const staging = examine({ ...readEnvironment('staging'), site: {} });

const isAcknowledgedBy = (finding: Finding, acknowledgment: Finding) =>
  acknowledgment.rule === finding.rule && finding.path.startsWith(`${acknowledgment.path}/`);

describe.each([
  ['production', production],
  ['staging, with a site', staging],
])('cdk-nag in %s', (_, { acknowledgments, found }) => {
  test('has no unacknowledged finding', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(
      found.filter((one) => !acknowledgments.some((acknowledgment) => isAcknowledgedBy(one, acknowledgment))),
    ).toEqual([]);
  });

  test('has a finding for every acknowledgment', () => {
    expect(
      acknowledgments.filter((acknowledgment) => !found.some((one) => isAcknowledgedBy(one, acknowledgment))),
    ).toEqual([]);
  });
});

describe('cfn-lint', () => {
  let python = '';
  // The first run installs it. On a busy machine, installation and linting take minutes.
  beforeAll(async () => {
    python = await installCfnLint();
  });

  test('reports nothing for the templates, and an error for an invalid one', () => {
    const Properties = { Definition: { StartAt: 'A', States: { A: { Type: 'Nothing' } } } };
    const broken = { Resources: { Machine: { Type: 'AWS::StepFunctions::StateMachine', Properties } } };
    const templates = { production: production.template, staging: staging.template, broken };
    const found = lintTemplates(python, templates);
    expect(found.map((one) => one.split(' ').slice(0, 2).join(' ')).sort()).toEqual([
      'broken E3003',
      'broken E3601',
    ]);
  });
});

const definitions = Object.values<{ Type: string; Properties: Record<string, string> }>(
  production.template.Resources,
)
  .filter(({ Type }) => Type === 'AWS::StepFunctions::StateMachine')
  .map(({ Properties }) => [Properties.StateMachineName, String(Properties.DefinitionString)] as const);

test('the validator accepts the state machines', () => {
  expect(definitions.map(([name]) => name).sort()).toEqual(['Imprimatur-attest', 'Imprimatur-lane']);
  for (const [name, definition] of definitions)
    expect([name, validateDefinition(definition)]).toEqual([name, '']);
});

test('the validator reports a missing state and an invalid path', () => {
  const [, definition = ''] = definitions[0] ?? [];
  const lost = definition.replace('"Next":"RevealDelay"', '"Next":"RevealDelays"');
  expect(lost).not.toBe(definition);
  expect(validateDefinition(lost)).toContain('RevealDelays');
  const invalidPath = definition.replace('"Type":"Wait"', '"Type":"Wait","InputPath":"$..["');
  expect(invalidPath).not.toBe(definition);
  expect(validateDefinition(invalidPath)).toContain('InputPath');
});
