import { resolve } from 'node:path';
import { checkout } from '../checkout.ts';
import { readOptionValues } from '../terminal/option-values.ts';

export const upgradeHelp = `npm run upgrade:rehearse -- [options]: on a local stack of its own, deploys a version, lets attestations wait for fees
above the cap, deploys another version with a raised cap, and sees each attestation confirmed once. Then lowers the cap
with admin settings set, sees the lane stop, takes that back, and sees it go on. Some five minutes.

  --from DIR   checkout that is deployed first, such as a git worktree of an older version; default this one
  --to DIR     checkout that is deployed over it; default this one
  --help       this text

Going back is rehearsed with this checkout as --from and an older one as --to; one that does not know a setting of the local
stack refuses it before anything is changed. The exit status is 0 only if everything holds.`;

export interface UpgradeOptions {
  readonly from: string;
  readonly to: string;
}

/** Parses the command line. @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseUpgradeOptions(argv: readonly string[]): UpgradeOptions | undefined {
  const { from, to, help } = readOptionValues(argv, {
    from: { type: 'string', default: checkout },
    to: { type: 'string', default: checkout },
    help: { type: 'boolean', default: false, short: 'h' },
  });
  return help ? undefined : { from: resolve(from), to: resolve(to) };
}
