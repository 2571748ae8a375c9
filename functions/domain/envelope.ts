import type { Address } from 'viem';
import { encodeFunctionData, type Hex } from 'viem';
import { delegateForwarderAbi } from '../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { Route } from './lane.ts';
import type { Call } from './ports.ts';

/** What one transaction can hold. Nodes refuse more than 128 KiB, and EIP-7825 more than 16,777,216 gas. */
export const envelopeLimits = { operations: 96, gas: 15_000_000n, bytes: 120_000 } as const;

/** A key that is itself the delegate calls the registry; any other is an operator of the forwarder that is. */
export function routeOf(delegateAddress: Address, signerAddress: Address): Route {
  return delegateAddress === signerAddress ? 'key' : 'forwarder';
}

/** Operations that one transaction of the route can hold. */
export function capacityOf(route: Route): number {
  return route === 'key' ? 1 : envelopeLimits.operations;
}

/** The transaction that makes the calls, all of one delegate. */
export function envelopeOf(calls: readonly Call[], route: Route, signerAddress: Address): Call {
  const [first] = calls;
  if (!first) throw new Error('an envelope needs a call');
  if (route === 'key') return first;
  const args = [calls.map(({ data }): Hex => data)] as const;
  const data = encodeFunctionData({ abi: delegateForwarderAbi, functionName: 'execute', args });
  return { from: signerAddress, to: first.from, data };
}
