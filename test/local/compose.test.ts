import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const images = [...readFileSync('compose.yaml', 'utf8').matchAll(/^ +image: (\S+)$/gm)].map(
  ([, image]) => image,
);

test('compose.yaml pins the last LocalStack that needs no token, and the anvil that npm brings', () => {
  const anvil = packageJson.devDependencies['@foundry-rs/anvil'];
  expect(images).toEqual(['localstack/localstack:4.14.0', `ghcr.io/foundry-rs/foundry:v${anvil}`]);
});
