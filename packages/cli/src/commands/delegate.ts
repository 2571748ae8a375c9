import { type Command, Option } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import type { Address } from 'imprimatur-verifier';
import { tryParseAddress } from 'imprimatur-verifier/delegation';
import { collect, parseChainId, parseCount } from '../arguments.ts';
import {
  type DelegateOptions,
  instructionsResult,
  type PlannedDelegation,
  typedDataResult,
} from '../delegation-results.ts';
import { chainNames, UsageInvalidError } from '../errors.ts';
import { commonExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';

const help = helpText({
  notes: `Prints the transaction for your wallet, multisig or cast; no private key is
needed. With --registry and --chain, the service is not contacted. Then also
pass --to or --revoke.

With --typed-data, the authority only signs (EIP-712), and an operator sends the
transaction: admin delegation submit.`,
  examples: ['imprimatur delegate', 'imprimatur delegate --revoke --chain 8453'],
  exitCodes: commonExitCodes,
});

export function delegate(program: Command, run: RunCommand): void {
  program
    .command('delegate')
    .description('Show how to delegate to the service, or how to revoke the delegation.')
    .addOption(new Option('--revoke', 'revoke the delegation').conflicts('to'))
    .option('--chain <id>', 'chain (default: all that the service serves)', parseChainId)
    .option('--to <address>', 'delegate (default: the one that the service recommends)')
    .option('--registry <address>', 'registry; the service is not contacted')
    .option('--authority <address>', 'address of your authority, with --registry')
    .addOption(
      new Option('--page <url>', 'URL of the page for authorities, to print a link').env(
        'IMPRIMATUR_AUTHORITY_PAGE',
      ),
    )
    .option('--typed-data', 'print EIP-712 data for the authority to sign')
    .option('--days <n>', 'days until the signature expires', parseCount, 7)
    .option('--rpc <url>', 'RPC provider for --typed-data; repeatable', collect)
    .addHelpText('after', help)
    .action((options: DelegateOptions) => run((session) => show(session, options)));
}

async function show(session: Session, options: DelegateOptions): Promise<CommandResult> {
  const delegations =
    options.registry === undefined ? await servedDelegations(session, options) : [namedDelegation(options)];
  return options.typedData ? typedDataResult(delegations, options) : instructionsResult(delegations, options);
}

async function servedDelegations({ client, signal }: Session, options: DelegateOptions) {
  const authority = optionAddress('--authority', options.authority);
  const to = optionAddress('--to', options.to);
  const served = await client.chains({ signal });
  const chosen = served.filter(({ chainId }) => options.chain === undefined || chainId === options.chain);
  if (chosen.length === 0)
    throw new UsageInvalidError(
      `the service does not serve chain ${options.chain}; it serves: ${chainNames(served)}`,
    );
  // The addresses of the service are checked, too, because an invalid one would change the meaning of the calldata.
  const servedAddress = (text: string) =>
    parseChecked(text, 'the service returned an invalid address; check IMPRIMATUR_URL');
  return chosen.map(({ chainId, name, delegationActive, ...chain }) => ({
    ...{ chainId, name, delegationActive },
    registryAddress: servedAddress(chain.registryAddress),
    authorityAddress: authority ?? servedAddress(chain.authorityAddress),
    delegateAddress: options.revoke ? undefined : (to ?? servedAddress(chain.delegateAddress)),
  }));
}

function namedDelegation({ chain, revoke, registry, to, authority }: DelegateOptions): PlannedDelegation {
  if (chain === undefined) throw new UsageInvalidError('--registry needs --chain');
  const delegateAddress = optionAddress('--to', to);
  if (delegateAddress === undefined && !revoke)
    throw new UsageInvalidError('--registry needs --to or --revoke');
  return {
    ...{ chainId: chain, name: undefined, delegationActive: null, delegateAddress },
    registryAddress: checkedOption('--registry', registry ?? ''),
    authorityAddress: optionAddress('--authority', authority),
  };
}

const optionAddress = (option: string, text: string | undefined) =>
  text === undefined ? undefined : checkedOption(option, text);

const checkedOption = (option: string, text: string) =>
  parseChecked(text, `${option} is not an address with a valid checksum`);

function parseChecked(text: string, message: string): Address {
  const address = tryParseAddress(text);
  if (address) return address;
  throw new UsageInvalidError(message);
}
