import { CreateStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import { type AwsEndpoint, clientOptions } from '../../local/aws-endpoint.ts';

/** Longer than any bench. */
const waitSeconds = 3600;

const definition = JSON.stringify({
  StartAt: 'Stay',
  States: { Stay: { Type: 'Wait', Seconds: waitSeconds, End: true } },
});

/** State machines whose executions start and stay: the functions' calls are real, and nobody acts on them. */
export async function createQuietMachines(endpoint: AwsEndpoint, prefix: string) {
  const client = new SFNClient(clientOptions(endpoint));
  const create = async (name: string): Promise<string> => {
    const roleArn = 'arn:aws:iam::000000000000:role/bench';
    const { stateMachineArn } = await client.send(
      new CreateStateMachineCommand({ name, definition, roleArn }),
    );
    return stateMachineArn ?? '';
  };
  const [attest, lane] = await Promise.all([create(`${prefix}-attest`), create(`${prefix}-lane`)]);
  client.destroy();
  return { ATTEST_STATE_MACHINE_ARN: attest, LANE_STATE_MACHINE_ARN: lane };
}
