import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';

const examples: Readonly<Record<string, readonly string[]>> = {
  settings: ['show', 'set maxFeePerGasGwei=40 --chain 8453'],
  'settings show': ['', '--json'],
  'settings set': ['maxFeePerGasGwei=40 --chain 8453', '--rpc-urls urls.txt --chain 8453'],
  org: ['list', 'show Herald'],
  'org create': [
    '--name Herald --authority ADDRESS --default-chain 8453',
    '--name "The Daily" --authority ADDRESS --json',
  ],
  'org list': ['', '--json'],
  'org show': ['Herald', '"The Daily" --json'],
  'org update': ['Herald --attestations-per-day 5000', 'Herald --fee-budget 8453=0.05 --in-flight default'],
  key: ['create --org Herald', 'list --org Herald'],
  'key create': ['--org Herald', '--org Herald --mode test --expires 90d', '--org Herald --read-only'],
  'key list': ['--org Herald', '--org Herald --json'],
  'key revoke': ['KEY_ID', 'API_KEY'],
  webhook: ['create --org Herald --url https://example.com/events', 'list'],
  'webhook create': [
    '--org Herald --url https://example.com/events',
    '--org Herald --url http://127.0.0.1:8080/events',
  ],
  'webhook list': ['', '--org Herald'],
  'webhook update': [
    'WEBHOOK_ID --org Herald --url https://example.com/new',
    'WEBHOOK_ID --org Herald --url http://127.0.0.1:8080/new',
  ],
  'webhook rotate': ['WEBHOOK_ID --org Herald', 'WEBHOOK_ID --org Herald --json'],
  'webhook remove': ['WEBHOOK_ID --org Herald', 'WEBHOOK_ID --org Herald --stack Imprimatur'],
  'webhook dead-letters': ['--org Herald', '--org Herald --json'],
  'webhook replay': ['--org Herald --all', '--org Herald --since 2026-11-23'],
  attestation: ['show ATTESTATION_ID', 'erase Herald ATTESTATION_ID'],
  'attestation show': ['ATTESTATION_ID', 'ATTESTATION_ID --json'],
  audit: ['list Herald', 'list Herald --json'],
  'audit list': ['Herald', 'Herald --json'],
  delegation: ['status --org Herald --chain 8453', 'submit delegation.json --key-file payer.key'],
  'delegation status': ['--org Herald --chain 8453', '--org Herald --chain 8453 --json'],
  'delegation submit': [
    'delegation.json --key-file payer.key',
    'delegation.json --key-file payer.key --signature HEX',
  ],
  signer: ['list --chain 8453', 'rotate --chain 8453'],
  'signer list': ['--chain 8453', '--chain 8453 --json'],
  'signer rotate': ['--chain 8453', '--chain 8453 --admin-key-file admin.key --wait'],
  'signer revoke': ['ADDRESS --chain 8453', 'ADDRESS --chain 8453 --admin-key-file admin.key'],
  lane: ['status --chain 8453', 'pause --chain 8453 --reason "key may have leaked"'],
  'lane status': ['--chain 8453', '--chain 8453 --signer ADDRESS'],
  'lane pause': ['--chain 8453 --reason "key may have leaked"', '--chain 8453 --signer ADDRESS'],
  'lane resume': ['--chain 8453', '--chain 8453 --signer ADDRESS'],
  'lane cancel': ['--chain 8453', '--chain 8453 --nonce 7'],
  'lane resync': ['--chain 8453', '--chain 8453 --json'],
};

/** Adds examples to the help of all commands below `parent`, except those that have their own. */
export function addExamples(parent: Command, prefix = ''): void {
  for (const command of parent.commands) {
    const name = `${prefix}${command.name()}`;
    const lines = examples[name]?.map((args) => `admin ${name} ${args}`.trimEnd());
    if (lines) command.addHelpText('after', helpText({ examples: lines }));
    addExamples(command, `${name} `);
  }
}
