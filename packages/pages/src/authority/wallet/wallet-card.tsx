import { knownChains } from 'imprimatur-verifier';
import { useEffect, useRef } from 'preact/hooks';
import type { Target } from '../target/target.ts';
import type { WalletState } from './use-wallet.ts';

/** Name of a chain with its id. */
export function chainName(chainId: number): string {
  const known = knownChains[chainId];
  return known ? `${known.name} (chain ${chainId})` : `chain ${chainId}`;
}

interface WalletCardProps {
  readonly state: WalletState;
  readonly target: Target;
}

/** Card in which a person connects a wallet, and sees which account and which network it is on. */
export function WalletCard({ state, target }: WalletCardProps) {
  const { connection, problem } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  const wasConnected = useRef(false);
  const isConnected = connection !== undefined;
  useEffect(() => {
    // The button that was pressed is gone, and with it the place of who uses a keyboard.
    if (wasConnected.current !== isConnected) heading.current?.focus();
    wasConnected.current = isConnected;
  }, [isConnected]);
  return (
    <section class="card" aria-labelledby="wallet">
      <h2 id="wallet" tabIndex={-1} ref={heading}>
        Your wallet
      </h2>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {connection ? <Connected state={state} target={target} /> : <WalletList state={state} />}
    </section>
  );
}

function WalletList({ state: { wallets, connect } }: Pick<WalletCardProps, 'state'>) {
  if (wallets.length === 0)
    return (
      <p>
        No wallet announces itself in this browser. Open this page in a browser with your wallet, or use the
        transaction below with a multisig or cast.
      </p>
    );
  return (
    <>
      <p>It shows this page your address. Nothing is sent or signed before you say so in the wallet.</p>
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

function Connected({ state, target }: WalletCardProps) {
  const { connection, switchTo, leave } = state;
  if (!connection) return null;
  const { wallet, account, chainId } = connection;
  const { authorityAddress } = target;
  return (
    <>
      <dl class="facts">
        <dt>Wallet</dt>
        <dd>{wallet.name}</dd>
        <dt>Account</dt>
        <dd class="mono">{account}</dd>
        <dt>Network</dt>
        <dd>{chainName(chainId)}</dd>
      </dl>
      {authorityAddress && authorityAddress !== account && (
        <p class="problem" role="alert">
          The link is for the authority <span class="mono">{authorityAddress}</span>, and this account is
          another. A delegation by it does not let the service publish for you. Choose the authority's account
          in the wallet.
        </p>
      )}
      {target.chainId !== undefined && target.chainId !== chainId && (
        <p class="problem" role="alert">
          The wallet is on another network. The delegation is on {chainName(target.chainId)}.
        </p>
      )}
      <div class="actions">
        {target.chainId !== undefined && target.chainId !== chainId && (
          <button type="button" class="primary" onClick={() => target.chainId && switchTo(target.chainId)}>
            Switch to {chainName(target.chainId)}
          </button>
        )}
        <button type="button" onClick={leave}>
          Use another wallet
        </button>
      </div>
    </>
  );
}
