import type { AttestationFilter } from 'imprimatur-client';
import { useState } from 'preact/hooks';
import { useDroppedFiles } from '../../shared/use-dropped-files.ts';
import { ErrorAlert } from '../session/error-alert.tsx';
import { useAction } from '../session/use-action.ts';
import { cidOfFile } from '../text/content.ts';
import { statusNames } from './status-badge.tsx';

/** Filters as entered; each may be empty. */
export type Entered = Readonly<Record<'status' | 'url' | 'contentCid' | 'from' | 'to', string>>;

export const noFilter: Entered = { status: '', url: '', contentCid: '', from: '', to: '' };

/** The day after a date, because `createdBefore` is exclusive. */
const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

/** Converts filters for the API. */
export function filterOf({ status, url, contentCid, from, to }: Entered): AttestationFilter {
  return {
    status: (status || undefined) as AttestationFilter['status'],
    url: url.trim() || undefined,
    contentCid: contentCid.trim() || undefined,
    createdAfter: from || undefined,
    createdBefore: to ? dayAfter(to) : undefined,
  };
}

interface FiltersProps {
  /** The filters of the shown list. */
  readonly applied: Entered;
  onApply(filters: Entered): void;
}

export function Filters({ applied, onApply }: FiltersProps) {
  const [entered, setEntered] = useState(applied);
  const [isOpen, setOpen] = useState(applied !== noFilter);
  const file = useAction();
  const set = (name: keyof Entered) => (event: { currentTarget: { value: string } }) =>
    setEntered({ ...entered, [name]: event.currentTarget.value });
  const apply = (filters: Entered) => {
    setEntered(filters);
    onApply(filters);
  };
  const takeFiles = ([dropped]: readonly File[]) => {
    // Shows the filter that is applied, or the error.
    setOpen(true);
    file.run(async () => {
      if (dropped) apply({ ...noFilter, contentCid: await cidOfFile(dropped) });
    });
  };
  useDroppedFiles((dropped) => takeFiles([...dropped]));
  return (
    <details class="filters" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Filter</summary>
      <form
        aria-label="Filter"
        onSubmit={(event) => {
          event.preventDefault();
          apply(entered);
        }}
      >
        <div class="field">
          <label for="status">State</label>
          <select id="status" value={entered.status} onChange={set('status')}>
            <option value="">Any</option>
            {Object.entries(statusNames).map(([status, name]) => (
              <option key={status} value={status}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="from">From (UTC)</label>
          <input id="from" type="date" value={entered.from} onInput={set('from')} />
        </div>
        <div class="field">
          <label for="to">To (UTC)</label>
          <input id="to" type="date" value={entered.to} onInput={set('to')} />
        </div>
        <div class="field wide">
          <label for="filter-url">URL</label>
          <input id="filter-url" value={entered.url} onInput={set('url')} />
        </div>
        <div class="field wide">
          <label for="cid">CID</label>
          <input
            id="cid"
            class="mono"
            value={entered.contentCid}
            aria-describedby="cid-hint"
            onInput={set('contentCid')}
          />
          <p class="hint" id="cid-hint">
            To find a text, drop its file here. This page does not upload it.
          </p>
        </div>
        <ErrorAlert error={file.error} />
        <p class="actions">
          <button type="submit">Apply</button>
          <button type="button" onClick={() => apply(noFilter)}>
            Clear
          </button>
        </p>
      </form>
    </details>
  );
}
