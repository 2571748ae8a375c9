import { expect, test } from 'vitest';
import { synthesize } from '../synthesize.ts';

const template = synthesize();

/** The properties of every resource of a type. */
function properties(type: string) {
  const found = Object.values(template.findResources(type)).map((resource) => resource.Properties);
  expect(found.length).toBeGreaterThan(0);
  return found;
}

test('nothing is traced: a trace has what functions ask of others', () => {
  for (const { TracingConfig } of properties('AWS::Lambda::Function')) expect(TracingConfig).toBeUndefined();
  for (const { TracingEnabled } of properties('AWS::ApiGateway::Stage'))
    expect(TracingEnabled).toBeUndefined();
  for (const { TracingConfiguration } of properties('AWS::StepFunctions::StateMachine'))
    expect(TracingConfiguration).toBeUndefined();
});

test('state machines log errors without the data of executions', () => {
  for (const { LoggingConfiguration } of properties('AWS::StepFunctions::StateMachine'))
    expect(LoggingConfiguration).toMatchObject({ Level: 'ERROR', IncludeExecutionData: false });
});

test('the gateway logs no bodies', () => {
  for (const { MethodSettings } of properties('AWS::ApiGateway::Stage'))
    expect(
      MethodSettings.map((settings: { DataTraceEnabled: boolean }) => settings.DataTraceEnabled),
    ).not.toContain(true);
});
