import type { Sign } from './headline.ts';

const equals = 'M6 9.5h12M6 14.5h12';

/** The lines of each sign, on a square of 24. */
const lines: Readonly<Record<Sign, string>> = {
  vouched: 'M6.5 12.5l3.8 3.8 7.5-8.3',
  unchanged: equals,
  similar: 'M5 10.5c2.3-2.6 4.6-2.6 7 0s4.7 2.6 7 0M5 15.5c2.3-2.6 4.6-2.6 7 0s4.7 2.6 7 0',
  altered: `${equals}M15.5 5.5l-7 13`,
  corrected: 'M5 12h13M12.5 6.5 18 12l-5.5 5.5',
  withdrawn: 'M7 7l10 10M17 7 7 17',
  notFound: 'M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M17.5 6l-11 12',
  unknown: 'M8.8 9.2a3.2 3.2 0 1 1 4.9 2.7c-1.1.7-1.7 1.3-1.7 2.6M12 18.2v.1',
  stands: 'M12 6.6v.1M12 10.8v6.6',
};

/** Sign beside the words of a verdict, which say the same. */
export function SignIcon({ sign }: { readonly sign: Sign }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" width="56" height="56" aria-hidden="true" focusable="false">
      <path d={lines[sign]} />
    </svg>
  );
}
