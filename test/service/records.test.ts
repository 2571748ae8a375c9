import { recordsSuite } from '../functions/adapters/dynamodb/records-suite.ts';
import { records } from './stack/aws.ts';

recordsSuite('on DynamoDB', () => records);
