import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PageLayout, renderPage } from '../shared/page-layout.tsx';
import { DelegationCard } from './delegation/delegation-card.tsx';
import { SignCard } from './delegation/sign-card.tsx';
import { useCurrentDelegation } from './delegation/use-delegation.ts';
import { RawCard } from './raw/raw-card.tsx';
import { RevocationCard } from './revocation/revocation-card.tsx';
import { parseFragment, parseTarget } from './target/target.ts';
import { TargetCard } from './target/target-card.tsx';
import { useWallet } from './wallet/use-wallet.ts';
import { WalletCard } from './wallet/wallet-card.tsx';

function Explanation() {
  return (
    <section class="card" aria-labelledby="meaning">
      <h2 id="meaning">What a delegate may do</h2>
      <ul>
        <li>Attest texts in your name, and link a text to its correction.</li>
        <li>Revoke an attestation of the last 7 days.</li>
        <li>Nothing else: it cannot move coins, and cannot name another delegate.</li>
      </ul>
      <p>
        You have one delegate in each registry; a new one replaces it. You can revoke the delegation here at
        any time, even if the service is gone. Existing attestations stay.
      </p>
    </section>
  );
}

function Authority() {
  const [linkValues, setLinkValues] = useState(() => parseFragment(location.hash));
  const [texts, setTexts] = useState(linkValues.texts);
  useEffect(() => {
    // Another link in the same tab changes only the fragment.
    const readLink = () => {
      const next = parseFragment(location.hash);
      setLinkValues(next);
      setTexts(next.texts);
    };
    window.addEventListener('hashchange', readLink);
    return () => window.removeEventListener('hashchange', readLink);
  }, []);
  const target = parseTarget(texts, linkValues.link.authorityAddress);
  const { reference = '' } = linkValues.link;
  const wallet = useWallet();
  const { connection } = wallet;
  const current = useCurrentDelegation(connection, target);
  return (
    <PageLayout
      title="Who may publish in your name"
      introduction="Let a service attest texts in your name. Change your delegate, or revoke the delegation. Your key stays in your wallet."
      footer="This page communicates only with your wallet. Your wallet's node learns what the page reads and sends."
    >
      <Explanation />
      <TargetCard linkValues={linkValues} texts={texts} target={target} onChange={setTexts} />
      <WalletCard state={wallet} target={target} />
      {connection && current.query && (
        // The key resets the cards for another account or registry.
        <Fragment key={JSON.stringify(current.query)}>
          <DelegationCard connection={connection} target={target} current={current} />
          <SignCard connection={connection} target={target} current={current} />
        </Fragment>
      )}
      <RawCard target={target} current={current} />
      {connection && <RevocationCard key={reference} connection={connection} reference={reference} />}
    </PageLayout>
  );
}

renderPage(<Authority />);
