import { fieldList } from 'imprimatur-terminal/text';
import { authorityLink, castLine, delegationCall } from 'imprimatur-verifier/delegation';
import { UsageInvalidError } from '../errors.ts';
import type { CommandAnswer } from '../session.ts';
import type { DelegateChoice, PlannedDelegation } from './find-delegations.ts';

interface Instructions extends PlannedDelegation {
  readonly call: ReturnType<typeof delegationCall>;
  readonly cast: string;
  readonly page: string | undefined;
}

/** Tells for each delegation the transaction that makes it, in every form that wallets, multisigs and scripts take. */
export function instructionsAnswer(
  delegations: readonly PlannedDelegation[],
  { page, to, chain }: DelegateChoice,
): CommandAnswer {
  if (page !== undefined && !/^(https?|file):\/\//i.test(page))
    throw new UsageInvalidError('--page must be an http, https or file URL');
  const all = delegations.map((delegation): Instructions => {
    const call = delegationCall(delegation.registryAddress, delegation.delegateAddress);
    const link = page === undefined ? undefined : authorityLink(page, linkOf(delegation));
    return { ...delegation, call, cast: castLine(call, delegation.chainId), page: link };
  });
  const isAsked = to !== undefined || chain !== undefined;
  const texts = all.map((one) => (one.delegationActive && !isAsked ? done(one) : toDo(one)));
  const json = all.map(({ call: { signature, args, to: registry, data }, ...one }) => ({
    ...one,
    delegateAddress: one.delegateAddress ?? null,
    call: { signature, args, to: registry, value: '0', data },
  }));
  return { json: { delegations: json }, text: texts.join('\n\n') };
}

function linkOf({ chainId, registryAddress, delegateAddress, authorityAddress }: PlannedDelegation) {
  return {
    ...{ chainId, registryAddress },
    ...(delegateAddress && { delegateAddress }),
    ...(authorityAddress && { authorityAddress }),
  };
}

const chainText = ({ chainId, name }: PlannedDelegation) =>
  name === undefined ? `Chain ${chainId}` : `${name} (chain ${chainId})`;

function stateText({ delegationActive }: PlannedDelegation): string {
  if (delegationActive === null) return 'whether it is delegated is not known';
  return delegationActive ? 'delegated to the service' : 'not delegated to the service';
}

/** With a revocation the active delegations are those to be shown. */
function done(instructions: Instructions): string {
  const { chainId, delegateAddress } = instructions;
  if (delegateAddress === undefined) return toDo(instructions);
  return `${chainText(instructions)}: ${stateText(instructions)}.
Nothing to do: ${delegateAddress} may act for your authority.
To take it back: imprimatur delegate --revoke --chain ${chainId}`;
}

function toDo(instructions: Instructions): string {
  const { call, cast, page, authorityAddress, delegateAddress } = instructions;
  const effect =
    delegateAddress === undefined
      ? 'ends the delegation: nothing more is\nattested in its name, and what was attested stays.'
      : 'lets the delegate act in its name: attest,\nlink, revoke. It can change that or take it back at any time.';
  const fields = {
    from: authorityAddress ?? 'your authority',
    to: call.to,
    data: call.data,
    call: `${call.signature.replace(/\(.*/, '')}(${call.args.join(', ')}), no value`,
  };
  return [
    `${chainText(instructions)}: ${stateText(instructions)}.`,
    `One transaction of the authority ${effect}`,
    '',
    fieldList(fields),
    '',
    ...(page === undefined ? [] : ['With a wallet:', `  ${page}`]),
    'With cast (--ledger, --trezor or --account NAME in place of --interactive):',
    cast.replaceAll(/^/gm, '  '),
    'Without gas, signed by the authority and sent by an operator: --typed-data',
  ].join('\n');
}
