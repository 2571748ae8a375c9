import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';

const examples: Readonly<Record<string, readonly string[]>> = {
  'settings show': [''],
  'settings set': ['maxFeePerGasGwei=40 --chain 8453', '--rpc-urls urls.txt --chain 8453'],
  'org create': ['--name Herald --authority ADDRESS --default-chain 8453'],
  'org list': [''],
  'org show': ['Herald'],
  'org update': ['Herald --attestations-per-day 5000', 'Herald --fee-budget 8453=0.05 --in-flight default'],
  'key create': ['--org Herald', '--org Herald --mode test --expires 90d', '--org Herald --read-only'],
  'key list': ['--org Herald'],
  'key revoke': ['KEY_ID'],
  'webhook create': ['--org Herald --url https://example.com/events'],
  'webhook list': ['', '--org Herald'],
  'webhook update': ['WEBHOOK_ID --org Herald --url https://example.com/new'],
  'webhook rotate': ['WEBHOOK_ID --org Herald'],
  'webhook remove': ['WEBHOOK_ID --org Herald'],
  'webhook dead-letters': ['--org Herald'],
  'webhook replay': ['--org Herald --all', '--org Herald --since 2026-11-23'],
  'attestation show': ['ATTESTATION_ID'],
  'attestation erase': ['Herald ATTESTATION_ID'],
  'audit list': ['Herald'],
  'delegation status': ['--org Herald --chain 8453'],
  'delegation submit': ['delegation.json --key-file payer.key'],
  'signer list': ['--chain 8453'],
  'signer rotate': ['--chain 8453', '--chain 8453 --admin-key-file admin.key --wait'],
  'signer revoke': ['ADDRESS --chain 8453 --admin-key-file admin.key'],
  'lane status': ['--chain 8453'],
  'lane pause': ['--chain 8453 --reason "key may have leaked"'],
  'lane resume': ['--chain 8453'],
  'lane cancel': ['--chain 8453 --nonce 7'],
  'lane resync': ['--chain 8453'],
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
