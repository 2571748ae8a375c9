import { describe, expect, it } from 'vitest';
import { parseStartOptions } from '../../../local/start/options.ts';
import { OptionInvalidError } from '../../../local/terminal/option-values.ts';
import { refusal } from '../refusal.ts';

describe('parseStartOptions', () => {
  it('takes the delay of production and the article of the repository by default', () => {
    expect(parseStartOptions([])).toEqual({
      articlePath: expect.stringMatching(/local\/articles\/.*\.txt$/),
      revealDelaySeconds: 60,
      delegate: 'key',
      confirmations: 1,
      once: false,
      json: false,
      port: undefined,
      emulatorPort: undefined,
      rpcPort: undefined,
    });
  });

  it('takes every option', () => {
    const argv = [
      '--file',
      'a.txt',
      '--once',
      '--reveal-delay',
      '5',
      '--delegate',
      'forwarder',
      '--confirmations=12',
      '--json',
      '--port=4900',
      '--emulator-port=4566',
      '--rpc-port=8545',
    ];
    expect(parseStartOptions(argv)).toEqual({
      articlePath: 'a.txt',
      revealDelaySeconds: 5,
      delegate: 'forwarder',
      confirmations: 12,
      once: true,
      json: true,
      port: 4900,
      emulatorPort: 4566,
      rpcPort: 8545,
    });
  });

  it.each(['--help', '-h'])('gives nothing when %s asks for help', (option) => {
    expect(parseStartOptions([option])).toBeUndefined();
  });

  it.each([
    [['--reveal-delay', '0'], '--reveal-delay must be a whole number from 1 to 86400, not "0"'],
    [['--reveal-delay', '1.5'], '--reveal-delay must be'],
    [['--reveal-delay', 'soon'], '--reveal-delay must be'],
    [['--reveal-delay='], '--reveal-delay must be'],
    [['--reveal-delay=-1'], '--reveal-delay must be'],
    [['--delegate', 'nobody'], '--delegate must be key or forwarder, not "nobody"'],
    [['--delegate'], '--delegate'],
    [['--confirmations', '0'], '--confirmations must be a whole number from 1 to 1000, not "0"'],
    [['--port', '65536'], '--port must be'],
    [['--emulator-port', '0'], '--emulator-port must be'],
    [['--rpc-port', 'x'], '--rpc-port must be'],
    [['--file'], '--file'],
    [['--onse'], "Unknown option '--onse'; --help lists the options"],
    [['article.txt'], "Unexpected argument 'article.txt'"],
  ])('refuses %j in one line', (argv, line) => {
    expect(refusal(() => parseStartOptions(argv), OptionInvalidError)).toContain(line);
  });
});
