import type { Account } from '../../account/connect-account.ts';
import type { StackView } from '../../deployment/stack-outputs.ts';
import { askAws, type Finding, missingOutput, type Outcome, ok, problem, warning } from './report.ts';

type TableView = Awaited<ReturnType<Account['table']>>;

interface Needed {
  readonly indexes?: readonly string[];
  readonly timeToLiveAttribute?: string;
  /** Whether webhooks are told by its stream. */
  readonly isStreamed?: boolean;
}

/** What a table has to have by the stack's outputs; a table that was restored lacks all but the indexes. */
const tables: Readonly<Record<string, Needed>> = {
  AttestationsTable: { indexes: ['due', 'inFlight'], timeToLiveAttribute: 'expiresAt', isStreamed: true },
  LanesTable: { timeToLiveAttribute: 'expiresAt' },
  QueueTable: {},
  OrganizationsTable: {},
  WebhooksTable: { timeToLiveAttribute: 'expiresAt' },
};

/** Checks the tables, each in a line of its own unless all is well. */
export async function checkTables(account: Account, stack: StackView): Promise<Finding[]> {
  const isCloud = account.target.kind === 'cloud';
  const checks = Object.entries(tables).map(([output, needed]) =>
    askAws(account, ['tables', 'dynamodb:Describe*'], async () => {
      const name = stack.outputs[output];
      if (name === undefined) return missingOutput(output);
      const table = await account.table(name);
      const broken = brokenTable(name, table, needed);
      // Emulators do not have what follows.
      return broken ?? (isCloud ? lacking(name, table, needed, stack) : []);
    }),
  );
  const wrong = (await Promise.all(checks)).flat();
  if (wrong.length > 0) return wrong;
  const backup = isCloud ? ', with point-in-time recovery' : '';
  return [{ check: 'tables', ...ok(`${checks.length} tables and their indexes are there${backup}`) }];
}

function brokenTable(name: string, table: TableView, { indexes = [] }: Needed): Outcome | undefined {
  if (table.status !== 'ACTIVE' && table.status !== 'UPDATING')
    return problem(`${name} is ${table.status}`, 'Wait, then run doctor again.');
  const missing = indexes.filter((index) => table.indexes[index] !== 'ACTIVE');
  if (missing.length === 0) return undefined;
  return problem(
    `${name} has no index ${missing.join(', ')} that can be read`,
    'Wait while it is made; a restored table has to be restored with its indexes.',
  );
}

function lacking(
  name: string,
  table: TableView,
  { timeToLiveAttribute: attribute, isStreamed = false }: Needed,
  { isProtected }: StackView,
): Outcome[] {
  const unless = (is: boolean, what: string, command: string, options: string) =>
    is ? [] : [warning(`${name} ${what}`, `Run aws dynamodb ${command} --table-name ${name} --${options}`)];
  return [
    ...unless(
      table.hasPointInTimeRecovery,
      'has no point-in-time recovery',
      'update-continuous-backups',
      'point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
    ),
    ...unless(
      table.isProtected || !isProtected,
      'can be deleted, which the stack cannot',
      'update-table',
      'deletion-protection-enabled',
    ),
    ...unless(
      table.hasStream || !isStreamed,
      'has no stream, by which webhooks are told',
      'update-table',
      'stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES, ' +
        'and deploy with its ARN as existing.tables.attestationsStream.',
    ),
    ...unless(
      attribute === undefined || table.timeToLiveAttribute === attribute,
      'deletes nothing that has expired',
      'update-time-to-live',
      `time-to-live-specification Enabled=true,AttributeName=${attribute}`,
    ),
  ];
}
