import { build, type Format } from 'esbuild';
import { expect, test } from 'vitest';
import { bundling } from '../../lib/service-function.ts';

test('keeps the names of errors, which state machines match', async () => {
  const { format, minify, keepNames } = bundling;
  const { outputFiles } = await build({
    entryPoints: ['functions/domain/errors.ts'],
    bundle: true,
    write: false,
    format: format as Format,
    ...(minify !== undefined && { minify }),
    ...(keepNames !== undefined && { keepNames }),
  });
  const { text } = outputFiles[0] ?? {};
  const { NotYetFinalError } = await import(`data:text/javascript,${encodeURIComponent(text ?? '')}`);
  expect(new NotYetFinalError('').name).toBe('NotYetFinalError');
});
