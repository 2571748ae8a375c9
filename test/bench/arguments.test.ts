import { expect, test } from 'vitest';
import { OptionInvalidError } from '../../local/terminal/option-values.ts';
import { parseBenchOptions } from './arguments.ts';
import { sectionNames } from './report/section.ts';

const lanes = { attestations: 20_000, stores: ['memory', 'dynamodb'], modes: ['forwarder', 'key'] };

test('measures every section when none is named', () => {
  expect(parseBenchOptions([])).toEqual({ sections: sectionNames, json: false, write: false, lanes });
});

test('measures the named sections, each once and in their own order', () => {
  const options = parseBenchOptions(['gas', 'bundles', 'gas', '--json', '--write']);
  expect(options).toEqual({ sections: ['bundles', 'gas'], json: true, write: true, lanes });
});

test('measures nothing when asked for help', () => {
  expect(parseBenchOptions(['gas', '--help'])).toBeUndefined();
});

test('refuses an unknown section or option in one line that names it', () => {
  expect(() => parseBenchOptions(['gaz'])).toThrow(
    new OptionInvalidError(
      'there is no section gaz; sections: bundles, handlers, hops, transitions, gas, lanes, quotes',
    ),
  );
  expect(() => parseBenchOptions(['--jsn'])).toThrow(/^[^\n]*--jsn[^\n]*$/);
  expect(() => parseBenchOptions(['--jsn'])).toThrow(OptionInvalidError);
});

test('measures lanes of as many attestations, on the store and in the mode that are named', () => {
  const given = ['lanes', '--attestations', '500', '--store', 'memory', '--mode', 'key'];
  expect(parseBenchOptions(given)?.lanes).toEqual({ attestations: 500, stores: ['memory'], modes: ['key'] });
});

test('refuses a number, store or mode that there is not', () => {
  expect(() => parseBenchOptions(['lanes', '--attestations', '0'])).toThrow(OptionInvalidError);
  expect(() => parseBenchOptions(['lanes', '--mode', 'both!'])).toThrow(OptionInvalidError);
  expect(() => parseBenchOptions(['lanes', '--store', 'disk'])).toThrow(
    new OptionInvalidError('--store must be one of memory, dynamodb, both, not "disk"'),
  );
});
