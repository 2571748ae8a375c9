import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import {
  AuthoritiesInvalidError,
  authoritiesUrl,
  authorityMessage,
  parseAddress,
  parseAuthorities,
  parseDomain,
} from 'imprimatur-verifier';
import { collect, parseChainId } from '../arguments.ts';
import {
  addEntry,
  checkEntry,
  endEntries,
  entriesText,
  invalidSignatures,
  isSigned,
  parseTime,
  type StatementOptions,
  signingAdvice,
  statementOf,
} from '../domain/entries.ts';
import { ResponseUnreadableError } from '../domain/fetch.ts';
import { readAuthorities } from '../domain/find-publisher.ts';
import { CommandError, UsageInvalidError } from '../errors.ts';
import { commonExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';

interface DomainOptions extends StatementOptions {
  readonly signature?: string;
  readonly file: string;
  readonly rpc?: readonly string[];
}

const help = helpText({
  notes: `A domain vouches for an authority if it serves
/.well-known/attestation-authorities.json with a signature of the authority.
  1. To print the text to sign, pass --authority and --chain.
  2. To add the signature to the file, repeat these options, and also pass
     --since and --signature. Then serve the file.
  3. To check what the domain serves, pass only the domain.
To end an entry, pass --authority and --until. Other entries stay unchanged.
Attestations before --since are not covered. Does not contact the service.`,
  examples: ['imprimatur domain example.org --authority 0x… --chain 8453', 'imprimatur domain example.org'],
  exitCodes: { ...commonExitCodes, 1: 'failed, or a signature or the served file is not valid' },
});

export function domain(program: Command, run: RunCommand): void {
  program
    .command('domain')
    .description('Let your domain vouch for your authority.')
    .argument('<domain>', 'domain name, such as example.org')
    .option('--authority <address>', 'address of the authority')
    .option('--chain <id>', 'chain of the authority; repeatable', collectChain)
    .option('--since <time>', 'start of the entry (default: now)')
    .option('--until <time>', 'end of the entry (default: none)')
    .option('--signature <hex>', 'signature of the authority')
    .option('--file <path>', 'file to write', 'attestation-authorities.json')
    .option('--rpc <url>', "RPC provider for a contract's signature; repeatable", collect)
    .addHelpText('after', help)
    .action((name: string, options: DomainOptions) => run((session) => runDomain(session, name, options)));
}

const collectChain = (text: string, before: readonly number[] = []) => [...before, parseChainId(text)];

async function runDomain(session: Session, name: string, options: DomainOptions): Promise<CommandResult> {
  try {
    const parsed = parseDomain(name);
    if (options.authority === undefined) return await showServed(session, parsed, options);
    if (options.signature !== undefined) return await add(parsed, options, options.signature);
    if (options.until !== undefined) return await end(parsed, options);
    const statement = statementOf(parsed, options);
    const message = authorityMessage(statement);
    return { json: { message, ...statement }, text: signingAdvice(message, statement) };
  } catch (error) {
    if (error instanceof ResponseUnreadableError)
      throw new CommandError(`the authorities file of ${name} ${error.message}`);
    if (error instanceof AuthoritiesInvalidError)
      throw new CommandError(`the authorities file is invalid: ${error.message}`);
    throw error;
  }
}

const writtenResult = (domain: string, file: string, content: object): CommandResult => ({
  json: { file, ...content },
  text: [
    `wrote ${file}. Serve it at`,
    `  ${authoritiesUrl(domain)}`,
    'with the header Access-Control-Allow-Origin: *, so that pages can read it. Then check it:',
    `  imprimatur domain ${domain}`,
  ].join('\n'),
});

async function add(domain: string, options: DomainOptions, signature: string): Promise<CommandResult> {
  if (options.since === undefined)
    throw new UsageInvalidError('--signature needs --since with the signed time');
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(signature))
    throw new UsageInvalidError('--signature must be 0x and pairs of hexadecimal digits');
  const { domain: _, ...signed } = statementOf(domain, options);
  const until = options.until === undefined ? null : parseTime('--until', options.until);
  const entry = { ...signed, until, signature: normalizeSignature(signature) };
  const checked = await checkEntry(domain, entry, options.rpc);
  if (!isSigned(checked))
    throw new CommandError(
      `${entry.address} did not sign this domain, these chains and this time; as a contract's signature, --signature is ${invalidSignatures(checked)}; nothing was written`,
    );
  return writtenResult(domain, options.file, await addEntry(options.file, entry));
}

/** Some wallets end a signature with 0 or 1, others with 27 or 28. The file uses 27 and 28. */
function normalizeSignature(signature: string): `0x${string}` {
  const last = /^0x[0-9a-f]{128}0([01])$/i.exec(signature)?.[1];
  if (last === undefined) return `0x${signature.slice(2)}`;
  return `0x${signature.slice(2, -2)}${last === '0' ? '1b' : '1c'}`;
}

async function end(domain: string, options: DomainOptions): Promise<CommandResult> {
  const until = parseTime('--until', options.until ?? '');
  const address = parseAddress('--authority', options.authority ?? '');
  return writtenResult(domain, options.file, await endEntries(options.file, address, until));
}

async function showServed(
  session: Session,
  domain: string,
  { rpc, chain, since, until, signature }: DomainOptions,
): Promise<CommandResult> {
  if (chain ?? since ?? until ?? signature) throw new UsageInvalidError('missing --authority');
  const { file, notices } = await readAuthorities(domain, session);
  if (!file) throw new CommandError(`there is no file at ${authoritiesUrl(domain)}`);
  const { authorities } = parseAuthorities(file);
  const entries = [];
  for (const entry of authorities) entries.push(await checkEntry(domain, entry, rpc));
  const text = entries.length > 0 ? entriesText(entries) : `the authorities file of ${domain} has no entries`;
  const isValid = entries.length > 0 && entries.every(isSigned);
  return { json: { domain, authorities: entries }, text, notes: notices, exitCode: isValid ? 0 : 1 };
}
