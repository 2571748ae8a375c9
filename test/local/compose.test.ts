import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const images = [...readFileSync('compose.yaml', 'utf8').matchAll(/^ +image: (\S+)$/gm)].map(
  ([, image]) => image,
);

test('compose.yaml pins the LocalStack and the anvil that npm start runs', () => {
  const requirements = readFileSync('local/localstack/requirements.txt', 'utf8');
  const [, localStack] = /^localstack-core==(\S+)/m.exec(requirements) ?? [];
  const anvil = packageJson.devDependencies['@foundry-rs/anvil'];
  expect(images).toEqual([`localstack/localstack:${localStack}`, `ghcr.io/foundry-rs/foundry:v${anvil}`]);
});
