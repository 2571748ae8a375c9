import * as z from 'zod';
import type { Change, Fields, Key } from '../records.ts';
import type { Services } from '../services.ts';
import { formOf, parseOrReport, parseRecord } from '../stored-record.ts';
import type { AttestationKey } from './attestation.ts';

/** Task token of a waiting state. It has its own record because it is as large as the row, which is written often. */
const tokenForm = formOf({ step: z.enum(['commit', 'reveal']), taskToken: z.string() });

export type TaskToken = z.output<typeof tokenForm>;

/** Longer than a state waits before it times out and is entered again. */
const keepDays = 30;

/** Returns the key of the token. An execution waits in one state at a time, so a new token replaces the last one. */
export function taskTokenRecord({ organizationId, id }: AttestationKey): Key {
  return { table: 'attestations', pk: `${organizationId}#${id}`, sk: 'token' };
}

export function putTaskToken(key: AttestationKey, { step, taskToken }: TaskToken, now: Date): Change {
  const expiresAt = Math.floor(now.getTime() / 1000) + keepDays * 86_400;
  return { key: taskTokenRecord(key), put: { step, taskToken, expiresAt } };
}

export function parseTaskToken(fields: Fields): TaskToken {
  return parseRecord('task token', tokenForm, fields);
}

/** Reads the tokens in the order of the keys. An absent or malformed one is `undefined`; a malformed one is logged. */
export async function findTaskTokens(
  { records, log }: Pick<Services, 'records' | 'log'>,
  keys: readonly AttestationKey[],
): Promise<(TaskToken | undefined)[]> {
  const found = await records.getAll(keys.map(taskTokenRecord));
  return keys.map(({ organizationId, id }, position) => {
    const fields = found[position];
    return parseOrReport(
      () => fields && parseTaskToken(fields),
      (error) => log.error('task token unreadable', error, { organizationId, id }),
    );
  });
}
