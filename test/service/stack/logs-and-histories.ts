import { paginateGetExecutionHistory } from '@aws-sdk/client-sfn';
import { executionsOf, linesOf, logGroups, states } from './aws.ts';
import { stack } from './running-stack.ts';

/** Reads all log groups: of the functions, of the state machines and of the API's access log. */
export async function allLogs(): Promise<{ groups: string[]; text: string }> {
  const groups = await logGroups();
  const lines = await Promise.all(groups.map((group) => linesOf(group)));
  return { groups, text: JSON.stringify(lines) };
}

async function historyOf(executionArn: string): Promise<string> {
  const pages: string[] = [];
  const input = { executionArn, includeExecutionData: true };
  for await (const { events } of paginateGetExecutionHistory({ client: states, pageSize: 1000 }, input))
    pages.push(JSON.stringify(events));
  return pages.join();
}

/** Reads the histories of these attestations' executions and of all lanes, with inputs and outputs. */
export async function histories(ids: readonly unknown[]): Promise<string> {
  const { AttestStateMachineArn: attest, LaneStateMachineArn: lane } = stack.outputs;
  const [ofAttest, ofLane] = await Promise.all([executionsOf(attest), executionsOf(lane)]);
  const own = ofAttest.filter((arn) => ids.some((id) => arn.includes(`:${id}-`)));
  return (await Promise.all([...own, ...ofLane].map(historyOf))).join();
}
