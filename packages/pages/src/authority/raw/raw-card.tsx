import { castCommand, delegationCall } from 'imprimatur-verifier/delegation';
import { formatChain } from '../../shared/chain-format.ts';
import { CopyField } from '../../shared/copy-field.tsx';
import type { DelegationCardProps } from '../delegation/delegation-card.tsx';

export function RawCard({ target, current: { state } }: Omit<DelegationCardProps, 'connection'>) {
  const { chainId, registryAddress, delegateAddress } = target;
  if (chainId === undefined || registryAddress === undefined) return null;
  // Offer nothing for a contract that is not a registry.
  if (state && state.registry.version === undefined) return null;
  const calls = [
    ...(delegateAddress
      ? [{ title: 'To delegate', call: delegationCall(registryAddress, delegateAddress) }]
      : []),
    { title: 'To revoke the delegation', call: delegationCall(registryAddress, undefined) },
  ];
  return (
    <details class="card">
      <summary>With a multisig, a script or cast</summary>
      <p>
        Send the transaction from the authority, on {formatChain(chainId)}, with no value.{' '}
        {!state &&
          'Without an answer from a wallet on that network, this page has not checked the registry. Compare its address yourself.'}
      </p>
      {calls.map(({ title, call }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <CopyField label="Address to call" title={title} text={call.to} />
          <CopyField label="Data" title={title} text={call.data} />
          <CopyField label="With cast" title={title} text={castCommand(call, chainId)} />
        </section>
      ))}
    </details>
  );
}
