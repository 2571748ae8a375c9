import { expect, test } from 'vitest';
import { parseBenchOptions } from '../../bench/arguments.ts';
import { sectionNames } from '../../bench/section.ts';
import { OptionInvalidError } from '../../local/option-values.ts';

test('measures every section when none is named', () => {
  expect(parseBenchOptions([])).toEqual({ sections: sectionNames, json: false, write: false });
});

test('measures the named sections, each once and in their own order', () => {
  const options = parseBenchOptions(['gas', 'bundles', 'gas', '--json', '--write']);
  expect(options).toEqual({ sections: ['bundles', 'gas'], json: true, write: true });
});

test('measures nothing when asked for help', () => {
  expect(parseBenchOptions(['gas', '--help'])).toBeUndefined();
});

test('refuses an unknown section or option in one line that names it', () => {
  expect(() => parseBenchOptions(['gaz'])).toThrow(
    new OptionInvalidError('there is no section gaz; sections: bundles, hops, transitions, gas'),
  );
  expect(() => parseBenchOptions(['--jsn'])).toThrow(/^[^\n]*--jsn[^\n]*$/);
  expect(() => parseBenchOptions(['--jsn'])).toThrow(OptionInvalidError);
});
