import type { Attestation } from 'imprimatur-client';
import { type Address, attestationBadge, attestationScript, isPublicRegistry } from 'imprimatur-verifier';
import { CopyField, saveFile } from '../../shared/copy-field.tsx';
import { ErrorAlert } from '../session/error-alert.tsx';
import { OutsideLink } from '../session/outside-link.tsx';
import { readerPageLink, webLink } from '../session/page-links.ts';
import { useSession } from '../session/session.ts';
import { useAction } from '../session/use-action.ts';

interface PublishCardProps {
  readonly id: string;
  readonly reference: string;
  readonly attestation: Attestation;
}

/** Everything that lets readers check the text. */
export function PublishCard({ id, reference, attestation: { chainId, registryAddress } }: PublishCardProps) {
  const { client } = useSession();
  const { isBusy, error, run } = useAction();
  const readerLink = readerPageLink(reference);
  // A page on disk has no page for readers beside it that others can open.
  const badge = webLink(readerLink)
    ? attestationBadge(readerLink, isPublicRegistry(chainId, registryAddress as Address))
    : '';
  const html = attestationScript(reference) + badge;
  const saveProof = () =>
    run(async () =>
      saveFile(`${JSON.stringify(await client.proof(id), undefined, 2)}\n`, 'article.proof.json'),
    );
  return (
    <section class="card" aria-labelledby="publish">
      <h2 id="publish">Let readers check it</h2>
      <p class="actions">
        <OutsideLink class="button" href={readerLink}>
          Open the page for readers
        </OutsideLink>
        <button type="button" aria-disabled={isBusy} onClick={saveProof}>
          Save the proof file
        </button>
      </p>
      <ErrorAlert error={error} />
      <p class="hint">
        Keep the proof file beside the text: with both, anyone can check it without this service.
      </p>
      <CopyField label="Reference" text={reference} />
      <CopyField label="HTML for the article’s page" text={html.trimEnd()} />
    </section>
  );
}
