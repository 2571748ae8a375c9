import type { SSMClient } from '@aws-sdk/client-ssm';
import { describe, expect, test } from 'vitest';
import { jsonLog } from '../../../../functions/adapters/aws/cloudwatch-log.ts';
import { readRpcUrls } from '../../../../functions/adapters/aws/ssm-rpc-urls.ts';
import { readEnvironment, settingsFromEnvironment } from '../../../../functions/adapters/environment.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { makeWorld } from '../../../fakes/world/world.ts';

describe('the environment', () => {
  test('names all that is missing at once', () => {
    const read = () =>
      readEnvironment({ SETTINGS: '{}', LANES_TABLE: '' }, ['SETTINGS', 'LANES_TABLE', 'SIGNING_KEY_ID']);
    expect(read).toThrow('not set: LANES_TABLE, SIGNING_KEY_ID');
  });

  test('has the settings as JSON, and names every field that is wrong', () => {
    const { settings } = makeWorld();
    expect(settingsFromEnvironment({ SETTINGS: JSON.stringify(settings) })).toEqual(settings);
    const wrong = { ...settings, defaultChainId: 5, maxQueuedHours: -1 };
    expect(() => settingsFromEnvironment({ SETTINGS: JSON.stringify(wrong) })).toThrow('maxQueuedHours');
  });
});

describe('the RPC URLs', () => {
  const ssmWith = (value: string) =>
    ({ send: async () => ({ Parameter: { Value: value } }) }) as unknown as SSMClient;

  test('are one a line, whatever else is white', async () => {
    const urls = await readRpcUrls(ssmWith('  https://a.example/k\r\n\nhttp://127.0.0.1:1\n'), '/p', 1);
    expect(urls).toEqual(['https://a.example/k', 'http://127.0.0.1:1']);
  });

  test.each(['', '  \n', 'rpc.example/v3/secret', 'https://a.example\nrpc.example/v3/secret'])(
    'that are none make the chain unreachable, and are not quoted: %j',
    async (value) => {
      const error: unknown = await readRpcUrls(ssmWith(value), '/p', 1).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(ChainUnreachableError);
      const lines: string[] = [];
      jsonLog(
        (line) => lines.push(line),
        () => new Date(),
      ).error('failed', error);
      expect(lines.join()).toContain('the SSM parameter /p/1');
      expect(lines.join()).not.toContain('secret');
    },
  );
});
