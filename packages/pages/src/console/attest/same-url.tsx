import type { Attestation } from 'imprimatur-client';
import { useEffect, useState } from 'preact/hooks';
import { formatIsoTime } from '../../shared/date-format.ts';
import { Choice } from '../../shared/form-fields.tsx';
import { useSession } from '../session/session.ts';
import type { DraftProps } from './submit.ts';
import { useDebounced } from './use-debounced.ts';

/** Offers to link the newest attested text with the same URL to the draft. */
export function SameUrl({ draft, onChange }: DraftProps) {
  const { client } = useSession();
  const [older, setOlder] = useState<Attestation>();
  const url = useDebounced(draft.url.trim());
  useEffect(() => {
    setOlder(undefined);
    if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) return;
    const stop = new AbortController();
    client.list({ url, status: 'confirmed', signal: stop.signal }).then(
      ({ attestations }) =>
        setOlder(attestations.find(({ childAttestationId }) => childAttestationId === null)),
      // Ignored, because this is only an offer. If the service is unreachable, submitting the form reports it.
      () => undefined,
    );
    return () => stop.abort();
  }, [client, url]);
  if (!older) return null;
  const time = formatIsoTime(older.confirmedAt ?? older.createdAt);
  return (
    <div class="outcome fair">
      <p>
        <a href={`#${older.id}`}>A text of {time}</a> has the same URL. If yours corrects it, link them, so
        that readers of the older text find yours.
      </p>
      <Choice
        label="Link it to my text as its correction"
        isChosen={draft.replaces?.id === older.id}
        onChoice={(isChosen) => onChange({ replaces: isChosen ? { id: older.id, url } : undefined })}
      />
    </div>
  );
}
