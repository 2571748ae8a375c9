import { paginateGetExecutionHistory, paginateListExecutions } from '@aws-sdk/client-sfn';
import { logsCall, states } from './aws.ts';
import { stack } from './running-stack.ts';

interface LogPage {
  readonly events: unknown[];
  readonly nextToken?: string;
}

async function eventsOf(logGroupName: string, nextToken?: string): Promise<unknown[]> {
  const input = { logGroupName, limit: 10_000, ...(nextToken === undefined ? {} : { nextToken }) };
  const page = (await logsCall('FilterLogEvents', input)) as unknown as LogPage;
  if (page.nextToken === undefined || page.nextToken === nextToken) return page.events;
  return [...page.events, ...(await eventsOf(logGroupName, page.nextToken))];
}

/** Every line of every log group: those of the functions, of the state machines and of the API's access log. */
export async function allLogs(): Promise<{ groups: string[]; text: string }> {
  const { logGroups } = (await logsCall('DescribeLogGroups', {})) as {
    logGroups: { logGroupName: string }[];
  };
  const groups = logGroups.map(({ logGroupName }) => logGroupName);
  const events = await Promise.all(groups.map((group) => eventsOf(group)));
  return { groups, text: JSON.stringify(events) };
}

async function executionsOf(stateMachineArn: string): Promise<string[]> {
  const arns: string[] = [];
  for await (const { executions = [] } of paginateListExecutions({ client: states }, { stateMachineArn }))
    arns.push(...executions.map(({ executionArn = '' }) => executionArn));
  return arns;
}

async function historyOf(executionArn: string): Promise<string> {
  const pages: string[] = [];
  const input = { executionArn, includeExecutionData: true };
  for await (const { events } of paginateGetExecutionHistory({ client: states, pageSize: 1000 }, input))
    pages.push(JSON.stringify(events));
  return pages.join();
}

/** The histories of these attestations' executions and of all of the lanes', with inputs and outputs. */
export async function histories(ids: readonly unknown[]): Promise<string> {
  const { AttestStateMachineArn: attest, LaneStateMachineArn: lane } = stack.outputs;
  const [ofAttest, ofLane] = await Promise.all([executionsOf(attest), executionsOf(lane)]);
  const own = ofAttest.filter((arn) => ids.some((id) => arn.includes(`:${id}-`)));
  return (await Promise.all([...own, ...ofLane].map(historyOf))).join();
}
