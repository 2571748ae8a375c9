import { expect, test } from 'vitest';
import { streamImage } from '../../../../functions/adapters/dynamodb/stream-image.ts';

test('reads a record as the stream of its table shows it, without its key', () => {
  const image = {
    ...{ pk: { S: 'o' }, sk: { S: 'i' } },
    text: { S: '' },
    number: { N: '-1.5' },
    flag: { BOOL: false },
    nothing: { NULL: true },
    bytes: { B: 'AQI=' },
    map: { M: { list: { L: [{ S: 'x' }, { N: '2' }] } } },
  };
  expect(streamImage(image)).toEqual({
    ...{ text: '', number: -1.5, flag: false, nothing: null },
    bytes: Buffer.from([1, 2]),
    map: { list: ['x', 2] },
  });
});
