import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { defaultStackName } from '../../../local/stack/platform.ts';
import { endpoint } from './aws.ts';
import { stack } from './running-stack.ts';

/** Runs the operators' command as an operator would, and reads its one JSON object. */
export async function admin(...args: string[]): Promise<Record<string, unknown>> {
  const env = { ...process.env, IMPRIMATUR_STACK_FILE: `${stack.directory}/stack.json` };
  const { stdout } = await promisify(execFile)('node', ['admin/main.ts', ...args, '--json'], { env });
  return JSON.parse(stdout);
}

/** Runs the operators' command with the stack's role of that kind, as an operator of a stack in the cloud. */
export async function adminAs(
  role: 'OperatorsRole' | 'CustodiansRole',
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { endpointUrl: AWS_ENDPOINT_URL, region: AWS_REGION, stackName = defaultStackName } = stack;
  const sts = new STSClient(clientOptions(endpoint));
  const { Credentials: given } = await sts.send(
    new AssumeRoleCommand({ RoleArn: stack.outputs[role], RoleSessionName: 'tester' }),
  );
  const env = {
    ...{ ...process.env, AWS_ENDPOINT_URL, AWS_REGION },
    AWS_ACCESS_KEY_ID: given?.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: given?.SecretAccessKey,
    AWS_SESSION_TOKEN: given?.SessionToken,
  };
  const command = ['admin/main.ts', ...args, '--stack', stackName, '--json'];
  return new Promise((resolve, reject) => {
    execFile('node', command, { env }, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('the command printed nothing'));
      else resolve(JSON.parse(stdout));
    });
  });
}
