import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../../lib/environment/read-environment.ts';
import { environmentStack } from '../../../lib/stack-of.ts';
import { inApp } from '../../lib/synthesize.ts';
import { stack } from '../stack/running-stack.ts';

interface TemplateFile {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
}

const typesOf = ({ Resources }: TemplateFile) => Object.values(Resources).map(({ Type }) => Type);

/** Resource types that the documentation says are not on LocalStack, with reasons. */
function documented(): string[] {
  const page = readFileSync('docs/operations/reference/local-stack.md', 'utf8');
  const [, section = ''] = page.split('## Not on LocalStack\n');
  return [...section.matchAll(/`((?:AWS|Custom)::\w+(?:::\w+)?)`/g)].map(([, type]) => `${type}`);
}

test('LocalStack deploys every resource type of production, except those that are documented', () => {
  const production = inApp(environmentStack(readEnvironment('production')), Template.fromStack);
  const path = `${stack.directory}/cdk.out/${stack.stackName ?? 'Imprimatur'}.template.json`;
  const deployed = typesOf(JSON.parse(readFileSync(path, 'utf8')));
  const log = readFileSync(`${stack.directory}/emulator.log`, 'utf8');
  const skipped = [...log.matchAll(/No resource provider found for "([^"]+)"/g)].map(([, type]) => type);
  const missing = typesOf(production.toJSON() as TemplateFile).filter((type) => !deployed.includes(type));
  expect([...new Set([...skipped, ...missing])].sort()).toEqual(documented().sort());
});
