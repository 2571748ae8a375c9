import { linesOf, logGroups } from '../stack/aws.ts';
import { iam } from './iam.ts';

/** One action on one resource that a statement allows the role of a function. */
export interface Grant {
  readonly action: string;
  readonly resource: string;
}

/** The policy of a function's role on the running stack. */
export interface RolePolicy {
  readonly id: string;
  readonly roleName: string;
  readonly policyName: string;
  readonly document: string;
  readonly grants: readonly Grant[];
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: object;
}

function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)`, 'g'))].map(([, text = '']) => text);
}

function singleGrants(document: string): Statement[] {
  const { Statement: statements }: { Statement: Statement[] } = JSON.parse(document);
  return statements.flatMap((statement) =>
    [statement.Action]
      .flat()
      .flatMap((Action) =>
        [statement.Resource].flat().map((Resource) => ({ ...statement, Action, Resource })),
      ),
  );
}

async function readPolicy(id: string, roleName: string): Promise<RolePolicy[]> {
  const names = elements(await iam('ListRolePolicies', { RoleName: roleName }), 'member');
  return Promise.all(
    names.map(async (policyName) => {
      const answer = await iam('GetRolePolicy', { RoleName: roleName, PolicyName: policyName });
      const document = decodeURIComponent(elements(answer, 'PolicyDocument')[0] ?? '');
      const grants = singleGrants(document).map(({ Action, Resource }) => ({
        action: String(Action),
        resource: String(Resource),
      }));
      return { id, roleName, policyName, document, grants };
    }),
  );
}

/** Reads the policies of all functions' roles that allow anything. */
export async function rolePolicies(): Promise<RolePolicy[]> {
  const roles = elements(await iam('ListRoles', { MaxItems: '1000' }), 'RoleName');
  const policies = roles.flatMap((roleName) => {
    const [, id] = /-(?:Api|Workflow|Webhooks)(\w+)ServiceRole/.exec(roleName) ?? [];
    return id === undefined ? [] : [readPolicy(id, roleName)];
  });
  return (await Promise.all(policies)).flat();
}

async function putPolicy({ roleName, policyName }: RolePolicy, document: string): Promise<void> {
  await iam('PutRolePolicy', { RoleName: roleName, PolicyName: policyName, PolicyDocument: document });
}

/** Does the work while the role lacks the grant, and then restores the grant. */
export async function without<Result>(
  policy: RolePolicy,
  grant: Grant,
  work: () => Promise<Result>,
): Promise<Result> {
  const left = singleGrants(policy.document).filter(
    ({ Action, Resource }) => Action !== grant.action || Resource !== grant.resource,
  );
  await putPolicy(policy, JSON.stringify({ Version: '2012-10-17', Statement: left }));
  try {
    return await work();
  } finally {
    await putPolicy(policy, policy.document);
  }
}

async function groupOf(id: string): Promise<string> {
  const isOfFunction = new RegExp(`/(?:Api|Workflow|Webhooks)${id}Log[0-9A-F]{8}$`);
  const logGroup = (await logGroups()).find((name) => isOfFunction.test(name));
  if (logGroup === undefined) throw new Error(`no log group of ${id}`);
  return logGroup;
}

/** Whether the function has logged a refusal of the action since a time. */
export async function wasRefused(id: string, action: string, since: number): Promise<boolean> {
  const lines = await linesOf(await groupOf(id), since);
  return lines.some((line) => line.includes(`not authorized to perform: ${action} `));
}
