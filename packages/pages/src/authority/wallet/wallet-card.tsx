import { useEffect, useRef } from 'preact/hooks';
import { Alert } from '../../shared/alert.tsx';
import { formatChain } from '../../shared/chain-format.ts';
import { Fact } from '../../shared/fact.tsx';
import type { Target } from '../target/target.ts';
import type { Connection, WalletState } from './use-wallet.ts';

interface WalletCardProps {
  readonly state: WalletState;
  readonly target: Target;
}

export function WalletCard({ state, target }: WalletCardProps) {
  const { connection, problem } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  const wasConnected = useRef(false);
  const isConnected = connection !== undefined;
  useEffect(() => {
    // The pressed button no longer exists, so keyboard users would lose their position.
    if (wasConnected.current !== isConnected) heading.current?.focus();
    wasConnected.current = isConnected;
  }, [isConnected]);
  return (
    <section class="card" aria-labelledby="wallet">
      <h2 id="wallet" tabIndex={-1} ref={heading}>
        Your wallet
      </h2>
      {problem && <Alert>{problem}</Alert>}
      {connection ? (
        <Connected state={state} target={target} connection={connection} />
      ) : (
        <WalletList state={state} />
      )}
    </section>
  );
}

function WalletList({ state: { wallets, connect } }: Pick<WalletCardProps, 'state'>) {
  if (wallets.length === 0)
    return (
      <p>
        No wallet was found in this browser. Open this page in a browser with your wallet, or use the
        transaction below with a multisig or cast.
      </p>
    );
  return (
    <>
      <p>
        Connecting shows your address to this page. Nothing is sent or signed until you confirm in the wallet.
      </p>
      <div class="actions wallets">
        {wallets.map((wallet) => (
          <button type="button" key={wallet.id} onClick={() => connect(wallet)}>
            {wallet.icon && <img src={wallet.icon} alt="" width="24" height="24" />}
            Connect {wallet.name}
          </button>
        ))}
      </div>
    </>
  );
}

function Connected({ state, target, connection }: WalletCardProps & { readonly connection: Connection }) {
  const { wallet, account, chainId } = connection;
  const { authorityAddress } = target;
  const wantedChainId = target.chainId === chainId ? undefined : target.chainId;
  return (
    <>
      <dl class="facts">
        <Fact label="Wallet">{wallet.name}</Fact>
        <Fact label="Account" isMono>
          {account}
        </Fact>
        <Fact label="Network">{formatChain(chainId)}</Fact>
      </dl>
      {authorityAddress && authorityAddress !== account && (
        <Alert>
          The link is for the authority <span class="mono">{authorityAddress}</span>, but this is a different
          account. Its delegation would not let the service publish for you. Choose the authority's account in
          the wallet.
        </Alert>
      )}
      {wantedChainId !== undefined && (
        <Alert>The wallet is on another network. The delegation is on {formatChain(wantedChainId)}.</Alert>
      )}
      <div class="actions">
        {wantedChainId !== undefined && (
          <button type="button" class="primary" onClick={() => state.switchTo(wantedChainId)}>
            Switch to {formatChain(wantedChainId)}
          </button>
        )}
        <button type="button" onClick={state.disconnect}>
          Use another wallet
        </button>
      </div>
    </>
  );
}
