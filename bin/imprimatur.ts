import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { FileInvalidError } from '../lib/environment/read-json.ts';
import { ImprimaturStack } from '../lib/imprimatur-stack.ts';
import { type Context, stackOf } from '../lib/stack-of.ts';

const app = new App();
const context: Context = (name) => app.node.tryGetContext(name);

try {
  const { stackName, ...props } = stackOf(context, process.env.CDK_DEFAULT_REGION);
  new ImprimaturStack(app, stackName, props);
  if (!props.emulator) Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
} catch (error) {
  if (!(error instanceof FileInvalidError)) throw error;
  for (const problem of error.problems) console.error(problem);
  process.exit(1);
}
