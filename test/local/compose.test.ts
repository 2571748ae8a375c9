import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const images = [...readFileSync('compose.yaml', 'utf8').matchAll(/^ +image: (\S+)$/gm)].map(
  ([, image]) => image,
);

test("compose.yaml pins the last LocalStack without a token, and npm's version of anvil", () => {
  const anvil = packageJson.devDependencies['@foundry-rs/anvil'];
  expect(images).toEqual(['localstack/localstack:4.14.0', `ghcr.io/foundry-rs/foundry:v${anvil}`]);
});
