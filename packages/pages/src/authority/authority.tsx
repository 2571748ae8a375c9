import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Shell } from '../shared/shell.tsx';
import { DelegationCard } from './delegation/delegation-card.tsx';
import { SignCard } from './delegation/sign-card.tsx';
import { usePresentDelegation } from './delegation/use-delegation.ts';
import { Explanation } from './explanation.tsx';
import { RawCard } from './raw/raw-card.tsx';
import { RevocationCard } from './revocation/revocation-card.tsx';
import { type Opened, openedWith, targetOf } from './target/target.ts';
import { TargetCard } from './target/target-card.tsx';
import { useWallet } from './wallet/use-wallet.ts';
import { WalletCard } from './wallet/wallet-card.tsx';

/** What the link says; another link in the same tab changes the fragment alone. */
function useOpened(): Opened {
  const [opened, setOpened] = useState(() => openedWith(location.hash));
  useEffect(() => {
    const read = () => setOpened(openedWith(location.hash));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return opened;
}

/** The page for authorities. */
export function Authority() {
  const opened = useOpened();
  const [texts, setTexts] = useState(opened.texts);
  useEffect(() => setTexts(opened.texts), [opened]);
  const target = targetOf(texts, opened.link.authorityAddress);
  const { reference = '' } = opened.link;
  const wallet = useWallet();
  const { connection } = wallet;
  const present = usePresentDelegation(connection, target);
  return (
    <Shell
      title="Who may publish in your name"
      lede="Let a service attest texts for you, change who may, or take it back. Your key stays in your wallet."
      footer="This page talks to your wallet and to nobody else. Your wallet's own node learns what it reads and sends."
    >
      <Explanation />
      <TargetCard opened={opened} texts={texts} target={target} onChange={setTexts} />
      <WalletCard state={wallet} target={target} />
      {connection && present.query && (
        // What was done with another account, or elsewhere, says nothing here.
        <Fragment key={JSON.stringify(present.query)}>
          <DelegationCard connection={connection} target={target} present={present} />
          <SignCard connection={connection} target={target} present={present} />
        </Fragment>
      )}
      <RawCard target={target} present={present} />
      {connection && <RevocationCard key={reference} connection={connection} reference={reference} />}
    </Shell>
  );
}
