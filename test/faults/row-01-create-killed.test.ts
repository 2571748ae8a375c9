import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../functions/domain/attestation/content-cid.ts';
import { readContent } from '../../functions/domain/attestation/content-records.ts';
import type { AwsFault } from '../fakes/aws/aws-faults.ts';
import type { RealWorld } from '../fakes/real/real-world.ts';
import { alice } from '../fakes/world/world.ts';
import { rowsOf } from './world/rule.ts';
import { serve } from './world/served.ts';

/** Where a create ends, and how many rows it leaves. */
const interruptions: readonly (readonly [AwsFault, number])[] = [
  [{ kind: 'killed before', command: 'BatchGetItem' }, 0],
  [{ kind: 'killed before', command: 'TransactWriteItems' }, 0],
  [{ kind: 'killed after', command: 'TransactWriteItems' }, 1],
  [{ kind: 'answer lost', command: 'TransactWriteItems', times: 4 }, 1],
  [{ kind: 'killed before', command: 'StartExecution' }, 1],
  [{ kind: 'killed after', command: 'StartExecution' }, 1],
];

/** More than one item of the store can hold. */
const longText = 'A long article. '.repeat(25_000);

const textOf = (position: number): string => (position === 2 ? longText : `article ${position}`);

async function rowsWith(world: RealWorld, text: string): Promise<Attestation[]> {
  const digest = contentDigest(parseContent(text));
  return (await rowsOf(world)).filter((row) => row.digest === digest);
}

test('row 01: a create that is killed before, between or after its writes is one attestation for a client that retries', async () => {
  const service = await serve();
  const { world, machines } = service;
  for (const [position, [fault, rows]] of interruptions.entries()) {
    const text = textOf(position);
    world.aws.inject(fault);
    await expect(service.post(alice, text)).rejects.toThrow();
    world.aws.clear();
    const left = await rowsWith(world, text);
    expect(left, JSON.stringify(fault)).toHaveLength(rows);

    const again = await service.post(alice, text);
    const later = await service.post(alice, text);
    expect(again.accepted).toBe(rows === 0);
    expect([...left.map(({ id }) => id), later.attestation.id]).toEqual(
      Array(rows + 1).fill(again.attestation.id),
    );
  }
  for (const row of await rowsOf(world)) await service.untilTerminal(row);
  await service.endsByRule();
  for (const position of interruptions.keys()) {
    const rows = await rowsWith(world, textOf(position));
    expect(rows).toMatchObject([{ status: 'confirmed' }]);
    for (const row of rows) {
      expect(await readContent(world.records, row)).toBe(textOf(position));
      const names = [...machines.executions.keys()].filter((name) => name.startsWith(row.id));
      expect(names).toEqual([`${row.id}-1`]);
    }
  }
});
