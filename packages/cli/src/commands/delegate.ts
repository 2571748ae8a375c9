import { type Command, Option } from 'commander';
import { collect, parseChainId, parseCount } from '../arguments.ts';
import { type DelegateChoice, findDelegations } from '../delegating/find-delegations.ts';
import { instructionsAnswer } from '../delegating/instructions.ts';
import { typedDataAnswer } from '../delegating/signable-delegation.ts';
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
  const delegations = await findDelegations(session, choice);
  return choice.typedData ? typedDataAnswer(delegations, choice) : instructionsAnswer(delegations, choice);
}
