import type { Attestation } from 'imprimatur-client';
import { useEffect, useState } from 'preact/hooks';
import { formatTime } from '../../shared/date-format.ts';
import { Choice } from '../../shared/form-fields.tsx';
import { useSession } from '../session/session.ts';
import { useDebounced } from './use-debounced.ts';

interface SameUrlProps {
  readonly url: string;
  /** ID of the attestation that the text will replace. */
  readonly replaces: string | undefined;
  onReplaces(id: string | undefined): void;
}

/** Offers to link the newest text with the same URL to the new one. */
export function SameUrl({ url, replaces, onReplaces }: SameUrlProps) {
  const { client } = useSession();
  const [older, setOlder] = useState<Attestation>();
  const debounced = useDebounced(url.trim());
  useEffect(() => {
    setOlder(undefined);
    onReplaces(undefined);
    if (!/^https?:\/\/./i.test(debounced) || !URL.canParse(debounced)) return;
    const stop = new AbortController();
    client.list({ url: debounced, status: 'confirmed', signal: stop.signal }).then(
      ({ attestations }) =>
        setOlder(attestations.find(({ childAttestationId }) => childAttestationId === null)),
      // Ignored, because this is only an offer. If the service is unreachable, submitting the form reports it.
      () => undefined,
    );
    return () => stop.abort();
  }, [client, debounced]);
  if (!older) return null;
  const time = formatTime(Date.parse(older.confirmedAt ?? older.createdAt) / 1000);
  return (
    <div class="outcome fair">
      <p>
        <a href={`#${older.id}`}>A text of {time}</a> has the same URL. If yours corrects it, link them, so
        that readers of the older text find yours.
      </p>
      <Choice
        label="Link it to my text as its correction"
        isChosen={replaces === older.id}
        onChoice={(isChosen) => onReplaces(isChosen ? older.id : undefined)}
      />
    </div>
  );
}
