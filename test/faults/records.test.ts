import { afterAll } from 'vitest';
import { Processes } from '../fakes/ports/processes.ts';
import { startAws } from '../fakes/real/real-aws.ts';
import { recordsSuite } from '../functions/adapters/dynamodb/records-suite.ts';

const aws = await startAws(new Processes());
afterAll(aws.stop);

recordsSuite('on the tables of the real worlds', () => aws.records);
