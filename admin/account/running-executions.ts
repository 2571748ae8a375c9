import { DescribeStateMachineAliasCommand, ListExecutionsCommand, type SFNClient } from '@aws-sdk/client-sfn';
import type { RunningExecutions } from './account.ts';

/** Number of the version at the end of its ARN. */
const versionOf = (arn: string | undefined): string => arn?.split(':').at(-1) ?? 'none';

/** Reads which versions of a state machine run, by the machine's alias; of at most 1,000 executions, the newest. */
export async function runningExecutions(states: SFNClient, aliasArn: string): Promise<RunningExecutions> {
  const [{ routingConfiguration }, { executions }] = await Promise.all([
    states.send(new DescribeStateMachineAliasCommand({ stateMachineAliasArn: aliasArn })),
    states.send(
      new ListExecutionsCommand({
        stateMachineArn: aliasArn.split(':').slice(0, -1).join(':'),
        statusFilter: 'RUNNING',
        maxResults: 1_000,
      }),
    ),
  ]);
  const countByVersion = new Map<string, number>();
  for (const { stateMachineVersionArn } of executions ?? []) {
    const version = versionOf(stateMachineVersionArn);
    countByVersion.set(version, (countByVersion.get(version) ?? 0) + 1);
  }
  return { currentVersion: versionOf(routingConfiguration?.at(-1)?.stateMachineVersionArn), countByVersion };
}
