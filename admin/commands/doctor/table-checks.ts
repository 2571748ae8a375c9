import type { Account, StackView, TableView } from '../../account/account.ts';
import { askAws } from './ask-aws.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** What a table has to have by the stack's outputs; a table that was restored lacks all but the indexes. */
const tables = {
  AttestationsTable: { indexes: ['due', 'inFlight'], timeToLiveAttribute: 'expiresAt', isStreamed: true },
  LanesTable: { indexes: [], timeToLiveAttribute: 'expiresAt' },
  QueueTable: { indexes: [] },
  OrganizationsTable: { indexes: [] },
  WebhooksTable: { indexes: [], timeToLiveAttribute: 'expiresAt' },
} satisfies Readonly<Record<string, Needed>>;

interface Needed {
  readonly indexes: readonly string[];
  readonly timeToLiveAttribute?: string;
  /** Whether webhooks are told by its stream. */
  readonly isStreamed?: boolean;
}

/** Checks the tables, each in a line of its own unless all is well. */
export async function checkTables(account: Account, { outputs, isProtected }: StackView): Promise<Finding[]> {
  const named = Object.entries<Needed>(tables).map(([output, needed]) => ({
    output,
    needed,
    name: outputs[output],
  }));
  const findings = await Promise.all(
    named.map(({ output, needed, name }) =>
      askAws(account, { check: 'tables', action: 'dynamodb:Describe*' }, async () =>
        name === undefined
          ? problem('tables', `the stack has no output ${output}`, 'Deploy the stack again.')
          : tableFindings(name, await account.table(name), {
              ...{ needed, isProtected, isCloud: account.target.kind === 'cloud' },
            }),
      ),
    ),
  );
  const wrong = findings.flat().filter(({ state }) => state !== 'ok');
  if (wrong.length > 0) return wrong;
  const backup = account.target.kind === 'cloud' ? ', with point-in-time recovery' : '';
  return [ok('tables', `${named.length} tables and their indexes are there${backup}`)];
}

interface Expected {
  readonly needed: Needed;
  /** Whether the stack refuses to be deleted: then its tables have to, too. */
  readonly isProtected: boolean;
  readonly isCloud: boolean;
}

function tableFindings(
  name: string,
  table: TableView,
  { needed, isProtected, isCloud }: Expected,
): Finding[] {
  if (table.status !== 'ACTIVE' && table.status !== 'UPDATING')
    return [problem('tables', `${name} is ${table.status}`, 'Wait, then run doctor again.')];
  const missing = needed.indexes.filter((index) => table.indexes[index] !== 'ACTIVE');
  if (missing.length > 0)
    return [
      problem(
        'tables',
        `${name} has no index ${missing.join(', ')} that can be read`,
        'Wait while it is made; a restored table has to be restored with its indexes.',
      ),
    ];
  // Emulators do not have what follows.
  if (!isCloud) return [ok('tables', name)];
  const { timeToLiveAttribute: attribute, isStreamed = false } = needed;
  const lacks = (is: boolean, what: string, command: string) =>
    is ? [] : [warning('tables', `${name} ${what}`, `Run aws dynamodb ${command}`)];
  return [
    ...lacks(
      table.hasPointInTimeRecovery,
      'has no point-in-time recovery',
      `update-continuous-backups --table-name ${name} ` +
        '--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
    ),
    ...lacks(
      table.isProtected || !isProtected,
      'can be deleted, which the stack cannot',
      `update-table --table-name ${name} --deletion-protection-enabled`,
    ),
    ...lacks(
      table.hasStream || !isStreamed,
      'has no stream, by which webhooks are told',
      `update-table --table-name ${name} ` +
        '--stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES, ' +
        'and deploy with its ARN as existing.tables.attestationsStream.',
    ),
    ...lacks(
      attribute === undefined || table.timeToLiveAttribute === attribute,
      'deletes nothing that has expired',
      `update-time-to-live --table-name ${name} ` +
        `--time-to-live-specification Enabled=true,AttributeName=${attribute}`,
    ),
  ];
}
