import { networkInterfaces } from 'node:os';
import { expect, inject, test } from 'vitest';

const { port } = new URL(inject('dynamoDb').url);
const others = Object.values(networkInterfaces())
  .flat()
  .filter((one) => one?.family === 'IPv4' && !one.internal)
  .map((one) => one?.address);

test.runIf(others.length > 0)('DynamoDB Local is not reachable from other machines', async () => {
  await expect(fetch(`http://127.0.0.1:${port}`)).resolves.toBeDefined();
  for (const address of others) await expect(fetch(`http://${address}:${port}`)).rejects.toThrow();
});
