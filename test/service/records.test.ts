import { recordsSuite } from '../functions/adapters/records-suite.ts';
import { records } from './aws.ts';

recordsSuite('on DynamoDB', () => records);
