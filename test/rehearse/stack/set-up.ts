import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOfPublicKey } from '../../../functions/adapters/aws/kms-signer.ts';
import { checkout } from '../../../local/checkout.ts';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';
import { runAdminCommand, tryAdminCommand } from '../admin-command.ts';
import { assert } from '../conditions.ts';
import type { Service, Target } from '../target.ts';
import type { Payment, SmokeEnvironment } from './environment.ts';

/** Folder of setup, with the API key. */
export const setupDirectory = ({ name }: Pick<SmokeEnvironment, 'name'>): string =>
  `${checkout}/.local/setup/${name}`;

/** Deploys with `setup`. The account that pays is the publisher's authority too, because setup gives an authority no coins. */
export async function setUpService(
  target: Target,
  environment: SmokeEnvironment,
  payment: Payment,
  log: (line: string) => void,
): Promise<Service> {
  const directory = setupDirectory(environment);
  await runSetup(target, environment, payment, log);
  const { chainId, registryAddress, revealDelaySeconds } = environment.chain;
  const [outputs] = Object.values<StackOutputs>(
    JSON.parse(readFileSync(`${directory}/outputs.json`, 'utf8')),
  );
  assert(outputs !== undefined, 'the deployment wrote no outputs');
  const { organizations } = await runAdminCommand(target, 'org', 'list');
  const [{ id: organizationId } = { id: '' }] = organizations as readonly { readonly id: string }[];
  const apiKey = readFileSync(`${directory}/api-key`, 'utf8').trim();
  const { PublicKey: der } = await new KMSClient({ region: environment.region }).send(
    new GetPublicKeyCommand({ KeyId: outputs.SigningKeyId }),
  );
  assert(der !== undefined, 'KMS returned no public key');
  const publisher = { apiUrl: outputs.ApiUrl, apiKey, organizationId, outputs };
  const rpcUrl = payment.rpcUrls[0] ?? '';
  return {
    ...publisher,
    chainId,
    rpcUrl,
    registryAddress,
    signerAddress: addressOfPublicKey(der),
    revealDelaySeconds,
  };
}

/** Runs `setup`. Its answers and the key are in files that only the user can read. Deletes them at the end. */
async function runSetup(
  target: Target,
  { name, chain: { chainId } }: SmokeEnvironment,
  { rpcUrls, deployerKey }: Payment,
  log: (line: string) => void,
): Promise<void> {
  const folder = `${checkout}/.local/rehearse/${name}/answers`;
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string) => {
    writeFileSync(`${folder}/${file}`, text, { mode: 0o600 });
    return `${folder}/${file}`;
  };
  try {
    const key = write('payer.key', deployerKey ?? '');
    const { address: authority } = privateKeyToAccount(deployerKey as `0x${string}`);
    const answers = {
      rpcUrlFiles: { [chainId]: write('urls', rpcUrls.join('\n')) },
      ...{ payerKeyFile: key, signerFunds: 0.02, authorityKeyFile: key },
      organization: { name: 'Smoke', authority },
    };
    const answersFile = write('answers.json', JSON.stringify(answers));
    const { exitCode, json } = await tryAdminCommand(target, [
      'setup',
      '--env',
      name,
      '--yes',
      '--answers',
      answersFile,
    ]);
    const steps = (json.steps ?? []) as readonly { name: string; state: string; text: string }[];
    for (const { name: step, state, text } of steps) log(`setup: ${step}: ${state}: ${text}`);
    assert(exitCode === 0, `setup: ${json.error ?? 'steps remain'}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
