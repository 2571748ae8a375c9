import { formatChain } from '../../shared/chain-format.ts';
import { OutsideLink } from './outside-link.tsx';
import { authorityPageLink } from './page-links.ts';
import { useSession } from './session.ts';

/** Warns about chains on which the service cannot publish. */
export function DelegationBanner() {
  const { chains } = useSession();
  const inactive = chains.filter(({ delegationActive }) => delegationActive === false);
  const unreachable = chains.filter(({ delegationActive }) => delegationActive === null);
  return (
    <>
      {inactive.map((chain) => (
        <div key={chain.chainId} class="outcome warn">
          <p>
            Your authority does not let the service publish on {formatChain(chain.chainId)}.{' '}
            <OutsideLink href={authorityPageLink(chain)}>Delegate to the service</OutsideLink>
          </p>
        </div>
      ))}
      {unreachable.map(({ chainId }) => (
        <div key={chainId} class="outcome none">
          <p>The service cannot reach {formatChain(chainId)} now. Attestations there wait until it can.</p>
        </div>
      ))}
    </>
  );
}
