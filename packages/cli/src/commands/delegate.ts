import { type Command, Option } from 'commander';
import type { Address } from 'imprimatur-verifier';
import { addressIn } from 'imprimatur-verifier/delegation';
import { collect, parseChainId, parseCount } from '../arguments.ts';
import {
  type DelegateChoice,
  instructionsAnswer,
  type PlannedDelegation,
  typedDataAnswer,
} from '../delegation-answers.ts';
import { UsageInvalidError } from '../errors.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';

const explanation = `
Without --registry the service is asked for the registry, the delegate that it recommends and your authority; with it
nobody is, and --chain is needed (--to too, but with --revoke).

--typed-data prints what the authority signs (EIP-712) so that somebody else can send it and pay for it: an operator,
with admin delegation submit. The authority's nonce is read from the chain, through --rpc or public providers.

Keys are not asked for: they stay in the wallet, the multisig or cast.`;

export function delegate(program: Command, act: Act): void {
  program
    .command('delegate')
    .description('Show how your authority delegates to the service, changes that or takes it back.')
    .addOption(new Option('--revoke', 'take the delegation back').conflicts('to'))
    .option('--chain <id>', 'the chain (default: each one that is served)', parseChainId)
    .option('--to <address>', 'another delegate than the one that the service recommends')
    .option('--registry <address>', 'a registry, without asking the service')
    .option('--authority <address>', "your authority's address, where the service is not asked")
    .addOption(
      new Option('--page <url>', "the authorities' page, to be linked to").env('IMPRIMATUR_AUTHORITY_PAGE'),
    )
    .option('--typed-data', 'print what the authority signs in place of sending a transaction')
    .option('--days <n>', 'days for which the signature can be sent', parseCount, 7)
    .option('--rpc <url>', 'an RPC provider for --typed-data; may be given several times', collect)
    .addHelpText('after', explanation)
    .action((choice: DelegateChoice) => act((session) => show(session, choice)));
}

async function show(session: Session, choice: DelegateChoice): Promise<CommandAnswer> {
  const delegations =
    choice.registry === undefined ? await servedDelegations(session, choice) : [givenDelegation(choice)];
  return choice.typedData ? typedDataAnswer(delegations, choice) : instructionsAnswer(delegations, choice);
}

/** What is to be delegated where the service serves chains. */
async function servedDelegations({ client, signal }: Session, choice: DelegateChoice) {
  const authority = optionAddress('--authority', choice.authority);
  const to = optionAddress('--to', choice.to);
  const served = await client.chains({ signal });
  const chosen = served.filter(({ chainId }) => choice.chain === undefined || chainId === choice.chain);
  if (chosen.length === 0) {
    const names = served.map(({ chainId, name }) => `${chainId} (${name})`).join(', ');
    throw new UsageInvalidError(`chain ${choice.chain} is not served; the service serves ${names}`);
  }
  // Checked too: an address that is none would end in calldata that means something else.
  const servedAddress = (text: string) =>
    checked(text, 'the service names an address that is none; check IMPRIMATUR_URL');
  return chosen.map(({ chainId, name, delegationActive, ...chain }) => ({
    ...{ chainId, name, delegationActive },
    registryAddress: servedAddress(chain.registryAddress),
    authorityAddress: authority ?? servedAddress(chain.authorityAddress),
    delegateAddress: choice.revoke ? undefined : (to ?? servedAddress(chain.delegateAddress)),
  }));
}

/** What is to be delegated by the options alone. */
function givenDelegation({ chain, revoke, registry, to, authority }: DelegateChoice): PlannedDelegation {
  if (chain === undefined) throw new UsageInvalidError('--registry needs --chain: the chain that it is on');
  const delegateAddress = optionAddress('--to', to);
  if (delegateAddress === undefined && !revoke)
    throw new UsageInvalidError('--registry needs --to, the delegate, or --revoke');
  return {
    ...{ chainId: chain, name: undefined, delegationActive: null, delegateAddress },
    registryAddress: checkedOption('--registry', registry ?? ''),
    authorityAddress: optionAddress('--authority', authority),
  };
}

const optionAddress = (option: string, text: string | undefined) =>
  text === undefined ? undefined : checkedOption(option, text);

const checkedOption = (option: string, text: string) =>
  checked(text, `${option} is not an address with a right checksum`);

function checked(text: string, complaint: string): Address {
  const address = addressIn(text);
  if (address) return address;
  throw new UsageInvalidError(complaint);
}
