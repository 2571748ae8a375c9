import { printableLine } from 'imprimatur-terminal/text';
import { needsOperator } from '../../../functions/domain/operator/describe-wait.ts';
import type { Part, Status } from './read-status.ts';

/** Below this number of days, funds need attention. */
const minDays = 3;

const found = <Value>(part: Part<Value>): Value | undefined => ('value' in part ? part.value : undefined);

/** Lists what an operator should look at, most urgent first. */
export function attentionOf({ alarms, unfinished, usage, chains }: Status): string[] {
  const { overdue = 0, oldest } = found(unfinished) ?? {};
  return [
    ...(found(alarms) ?? []).map(({ name, runbook }) => `the alarm ${name} is up: ${runbook}`),
    ...chains.flatMap(laneProblems),
    ...(overdue > 0
      ? [`unfinished for more than an hour beyond finality: ${overdue}, the oldest ${oldest?.id}`]
      : []),
    ...[alarms, unfinished, usage, ...chains.map(({ lanes }) => lanes)].flatMap((part) =>
      'missing' in part && part.failed ? [part.missing] : [],
    ),
  ];
}

function laneProblems({ chainId, name, lanes }: Status['chains'][number]): string[] {
  return (found(lanes) ?? []).flatMap(({ signerAddress, waitingFor, chain }) => {
    const lane = `chain ${chainId} (${name}), signer ${signerAddress}`;
    const waits = needsOperator(waitingFor);
    return [
      ...(waits ? [`${lane}: ${waitingFor}`] : []),
      ...(chain === null && waitingFor !== 'chain unreachable' ? [`${lane}: chain unreachable`] : []),
      ...(chain && chain.daysLeft < minDays
        ? [`${lane}: the balance may last only ${chain.daysLeft.toFixed(1)} days`]
        : []),
    ];
  });
}

export function attentionText(items: readonly string[]): string {
  // Reasons of pauses and errors must not add lines.
  const [first, ...others] = items.map(printableLine);
  if (first === undefined) return 'Nothing needs attention.';
  if (others.length === 0) return `1 thing needs attention: ${first}`;
  return [`${items.length} things need attention:`, first, ...others].join('\n- ');
}
