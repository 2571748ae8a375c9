import { Command, InvalidArgumentError } from 'commander';
import { type Address, BaseError, getAddress, isAddress } from 'viem';
import { wholeNumber } from '../../local/terminal/whole-number.ts';
import codeHashes from './code-hashes.json' with { type: 'json' };
import { type DeployedContract, type DeployOptions, deployAll } from './deploy-all.ts';
import { DeploymentError } from './deploy-contract.ts';
import { deployerAccount, kmsKeyVariable, privateKeyVariable } from './deployer-account.ts';
import { registryAddress } from './registry-deployment.ts';

const description = `Deploys the registry, and with --admin the forwarder, at the same addresses on every chain, through the CREATE2 proxy. \
What is there already is left alone. Prints addresses and code hashes, and verifies the code: that of the registry \
against the committed contracts/deploy/code-hashes.json when its delay is 60.`;

const notes = `
Environment: ${privateKeyVariable}, or ${kmsKeyVariable} (a KMS key's id, with AWS credentials): who pays.
Not needed when there is nothing to deploy.
Exit status: 0 all there and verified, 1 not, 2 these options make no sense.`;

function parseAddress(text: string): Address {
  if (!isAddress(text)) throw new InvalidArgumentError('It is not an address, or mistyped.');
  if (BigInt(text) === 0n) throw new InvalidArgumentError('It is the zero address.');
  return getAddress(text);
}

/** Compares the production registry with the published hash; other contracts have none. */
function checkCodeHash({ name, address, codeHash }: DeployedContract): void {
  const { revealDelaySeconds, runtimeCodeHash } = codeHashes.AttestationRegistry;
  if (address !== registryAddress(revealDelaySeconds) || codeHash === runtimeCodeHash) return;
  const published = `contracts/deploy/code-hashes.json says ${runtimeCodeHash}`;
  throw new DeploymentError(`${name} at ${address} has code hash ${codeHash}, and ${published}`);
}

const line = ({ name, address, codeHash, deployedNow }: DeployedContract) =>
  `${name} ${address} ${deployedNow ? 'deployed now' : 'was there'}, code verified, code hash ${codeHash}`;

/** viem's own messages repeat the URL, which may hold a provider's key; only the short message is shown. */
function plainMessage(error: unknown): string {
  if (error instanceof DeploymentError)
    return error.cause instanceof BaseError ? `${error.message}: ${error.cause.shortMessage}` : error.message;
  if (error instanceof BaseError) return `the chain did not do as asked: ${error.shortMessage}`;
  throw error;
}

async function deploy(options: DeployOptions & { json?: true }): Promise<void> {
  try {
    const result = await deployAll(options, () => deployerAccount(process.env));
    result.contracts.forEach(checkCodeHash);
    if (options.json) console.log(JSON.stringify(result));
    else console.log([`chain ${result.chainId}`, ...result.contracts.map(line)].join('\n'));
  } catch (error) {
    console.error(plainMessage(error));
    process.exitCode = 1;
  }
}

const program = new Command('npm run deploy --workspace contracts --')
  .description(description)
  .option('--rpc <url>', 'the chain; may also be in RPC_URL')
  .option('--reveal-delay <s>', 'seconds between commit and reveal', wholeNumber(0, 86_400), 60)
  .option(
    '--admin <address>',
    'deploys the forwarder too, with this first admin (in production a multisig)',
    parseAddress,
  )
  .option(
    '--registry <address>',
    'the registry that the forwarder serves, instead of deploying one',
    parseAddress,
  )
  .option('--json', 'one JSON object on standard output')
  .addHelpText('after', notes)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

await program
  .action(async ({ rpc = process.env.RPC_URL ?? '', ...options }) => {
    // The URL may hold a provider's key: no message repeats it.
    if (!/^https?:\/\//.test(rpc) || !URL.canParse(rpc))
      program.error('error: --rpc (or RPC_URL) must be an http or https URL');
    if (options.registry !== undefined && options.admin === undefined)
      program.error('error: --registry is for the forwarder, which takes --admin');
    await deploy({ rpcUrl: rpc, ...options });
  })
  .parseAsync();
