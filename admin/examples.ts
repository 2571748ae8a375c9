import type { Command } from 'commander';

const lane = ['--chain 8453', '--chain 8453 --signer ADDRESS'];
const webhook = ['WEBHOOK_ID --org Herald', 'WEBHOOK_ID --org Herald --json'];

/** Arguments to show with each command. */
const examples: Readonly<Record<string, readonly string[]>> = {
  doctor: ['', '--env production --chain 8453'],
  'settings show': ['', '--json'],
  'settings set': ['maxFeePerGasGwei=40 --chain 8453', '--rpc-urls urls.txt --chain 8453'],
  'org create': [
    '--name Herald --authority ADDRESS',
    '--name Herald --authority ADDRESS --default-chain 8453',
  ],
  'org list': ['', '--json'],
  'org show': ['Herald', 'Herald --json'],
  'org update': ['Herald --attestations-per-day 5000', 'Herald --fee-budget 8453=0.05 --in-flight default'],
  'key create': ['--org Herald', '--org Herald --mode test --expires 90d'],
  'key list': ['--org Herald', '--org Herald --json'],
  'key revoke': ['KEY_ID', 'KEY_ID --json'],
  'webhook create': [
    '--org Herald --url https://example.com/events',
    '--org Herald --url http://127.0.0.1:8080',
  ],
  'webhook list': ['', '--org Herald'],
  'webhook update': [
    'WEBHOOK_ID --org Herald --url https://example.com/new',
    'WEBHOOK_ID --org Herald --url http://127.0.0.1:8081',
  ],
  'webhook rotate': webhook,
  'webhook remove': webhook,
  'webhook parked': ['--org Herald', '--org Herald --json'],
  'webhook replay': ['--org Herald --all', '--org Herald --since 2026-11-23'],
  'attestation show': ['ATTESTATION_ID', 'ATTESTATION_ID --json'],
  'attestation erase': ['Herald ATTESTATION_ID', 'Herald ATTESTATION_ID --yes'],
  'audit list': ['Herald', 'Herald --json'],
  'delegation status': ['--org Herald --chain 8453', '--org Herald --chain 8453 --json'],
  'delegation submit': [
    'delegation.json --key-file payer.key',
    'delegation.json --key-file payer.key --nonce 7',
  ],
  'signer list': ['--chain 8453', '--chain 8453 --json'],
  'signer rotate': ['--chain 8453', '--chain 8453 --admin-key-file admin.key --wait'],
  'signer revoke': ['ADDRESS --chain 8453', 'ADDRESS --chain 8453 --admin-key-file admin.key'],
  'lane status': lane,
  'lane pause': ['--chain 8453', '--chain 8453 --reason "key may have leaked"'],
  'lane resume': lane,
  'lane cancel': ['--chain 8453', '--chain 8453 --nonce 7'],
  'lane resync': lane,
};

/** Adds examples to the help of the commands below a command. */
export function addExamples(parent: Command, prefix = ''): void {
  for (const command of parent.commands) {
    const name = `${prefix}${command.name()}`;
    const lines = examples[name]?.map((given) => `  admin ${name} ${given}`.trimEnd());
    if (lines) command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
    addExamples(command, `${name} `);
  }
}
