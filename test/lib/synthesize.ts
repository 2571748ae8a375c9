import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type Settings, settingsSchema } from '../../functions/domain/settings.ts';
import type { Emulator } from '../../lib/emulators.ts';
import { emulatorHosting, type Hosting } from '../../lib/environment/environment.ts';
import { ImprimaturStack, type ImprimaturStackProps } from '../../lib/imprimatur-stack.ts';

export const settings: Settings = settingsSchema.parse({
  chains: [{ chainId: 31337, name: 'Local', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }],
  throttle: { ratePerSecond: 7, burst: 9 },
  taskTimeoutSeconds: 77,
});

interface Synthesis extends Partial<Pick<Settings, 'corsOrigins' | 'existing' | 'loopbackWebhooks'>> {
  readonly hosting?: Partial<Hosting>;
  readonly emulator?: Emulator;
  readonly allAtOnce?: boolean;
  readonly stackName?: string;
}

const made = new Map<string, Template>();

/** Makes a template once, as `cdk synth` does but without bundling. `fromStack` rejects circular dependencies. */
export function synthesize(synthesis: Synthesis = {}): Template {
  const wanted = JSON.stringify(synthesis);
  const template = made.get(wanted) ?? makeTemplate(synthesis);
  made.set(wanted, template);
  return template;
}

function makeTemplate({ emulator, allAtOnce, stackName = 'Imprimatur', hosting, ...more }: Synthesis) {
  return inApp(
    {
      stackName,
      settings: { ...settings, ...more },
      hosting: { ...emulatorHosting, ...hosting },
      ...(emulator && { emulator }),
      ...(allAtOnce && { allAtOnce }),
    },
    Template.fromStack,
  );
}

export function inApp<Result>(
  { stackName, ...props }: ImprimaturStackProps & { readonly stackName: string },
  use: (stack: ImprimaturStack) => Result,
): Result {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const outdir = mkdtempSync(join(tmpdir(), 'imprimatur-synth-'));
  try {
    const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] }, outdir });
    return use(new ImprimaturStack(app, stackName, props));
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** Returns the logical ID in the first `Ref` or `Fn::GetAtt` of a value: `{ "Fn::GetAtt": ["Key", "Arn"] }` → `Key`. */
export function referenceOf(value: unknown): string {
  const [reference] = JSON.stringify(value).match(/(?<="(?:Ref|Fn::GetAtt)":\[?")[^"]+/) ?? [];
  return reference ?? String(value);
}

interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly unknown[];
  readonly conditions: Readonly<Record<string, unknown>>;
}

export function statementsOf(template: Template, id: string): Statement[] {
  const policies = template.findResources('AWS::IAM::Policy');
  return Object.entries(policies)
    .filter(([logicalId]) => logicalId.includes(`${id}ServiceRoleDefaultPolicy`))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .map(({ Action, Resource, Condition = {} }) => ({
      actions: [Action].flat(),
      resources: [Resource].flat(),
      conditions: Condition,
    }));
}

export function environments(template: Template): Record<string, Record<string, unknown>> {
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  return Object.fromEntries(
    functions.map(([logicalId, { Properties }]) => [
      logicalId.replace(/^(?:Api|Workflow|Webhooks)/, '').slice(0, -8),
      Properties.Environment.Variables,
    ]),
  );
}
