import { BaseError } from 'viem';
import { CodeHashMismatchError, checkCodeHash } from './check-code-hash.ts';
import { type DeployedContract, deployAll } from './deploy-all.ts';
import { ContractCodeMismatchError, ContractMissingError, ProxyMissingError } from './deploy-contract.ts';
import {
  DeployOptionInvalidError,
  type DeployOptions,
  deployHelp,
  parseDeployOptions,
} from './deploy-options.ts';
import { DeployerMissingError, deployerAccount } from './deployer-account.ts';

const expectedErrors = [
  CodeHashMismatchError,
  ContractCodeMismatchError,
  ContractMissingError,
  DeployerMissingError,
  ProxyMissingError,
];

const line = ({ name, address, codeHash, deployedNow }: DeployedContract) =>
  `${name} ${address} ${deployedNow ? 'deployed now' : 'was there'}, code verified, code hash ${codeHash}`;

async function deploy(options: DeployOptions): Promise<void> {
  const result = await deployAll(options, () => deployerAccount(process.env));
  result.contracts.forEach(checkCodeHash);
  if (options.json) console.log(JSON.stringify(result));
  else console.log([`chain ${result.chainId}`, ...result.contracts.map(line)].join('\n'));
}

/** viem's own messages repeat the URL, which may hold a provider's key; only the short message is shown. */
function plainMessage(error: unknown): string {
  if (expectedErrors.some((expected) => error instanceof expected)) {
    const { message, cause } = error as Error;
    return cause instanceof BaseError ? `${message}: ${cause.shortMessage}` : message;
  }
  if (error instanceof BaseError) return `the chain did not do as asked: ${error.shortMessage}`;
  throw error;
}

async function main(): Promise<number> {
  try {
    const options = parseDeployOptions(process.argv.slice(2), process.env);
    if (options === undefined) console.log(deployHelp);
    else await deploy(options);
    return 0;
  } catch (error) {
    if (!(error instanceof DeployOptionInvalidError)) {
      console.error(plainMessage(error));
      return 1;
    }
    console.error(`${error.message}; --help says more`);
    return 2;
  }
}

process.exitCode = await main();
