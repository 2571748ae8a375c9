import type { Address } from 'viem';
import { ThrottledError } from '../errors.ts';
import { laneName } from '../lane/lane.ts';
import { changeState, findLaneState, openOrReadLane, stoppedLaneState } from '../lane/lane-records.ts';
import {
  type ChainSigner,
  chainSigners,
  findSignerList,
  type SignerList,
  SignerMissingError,
  type Signers,
  signersRecord,
  withActive,
  withoutSigner,
} from '../lane/signers.ts';
import { tryStartLane } from '../lane/start-lane.ts';
import type { Change } from '../records.ts';
import type { Services } from '../services.ts';
import { maxControlTries } from './lane-control.ts';

/** Makes a signer the active one, which sends from the next transaction on. @throws SignerRevokedError */
export function activateSigner(
  services: Services,
  chainId: number,
  signer: Omit<ChainSigner, 'state'>,
): Promise<Signers> {
  return changeSigners(services, chainId, (signers) => withActive(signers, signer));
}

/** Revokes a signer: its lane assigns no nonce from now on, for good. @throws SignerMissingError, SignerLastError */
export function revokeSigner(
  services: Services,
  chainId: number,
  address: Address,
  options: { readonly force?: boolean } = {},
): Promise<Signers> {
  return changeSigners(services, chainId, (signers) => {
    if (!signers.some((signer) => signer.address === address)) throw new SignerMissingError(chainId, address);
    return withoutSigner(signers, address, options);
  });
}

/** Writes the list and the lanes of all signers that change together, so that two lanes never assign nonces at once. */
async function changeSigners(
  services: Services,
  chainId: number,
  change: (signers: Signers) => Signers,
): Promise<Signers> {
  for (let tries = 0; tries < maxControlTries; tries++) {
    const list = await findSignerList(services.records, chainId);
    const before = list?.signers ?? (await chainSigners(services, chainId));
    const after = change(before);
    if (after === before) return after;
    const lanes = await laneChanges(services, chainId, { before, after });
    if (await services.records.transact([listChange(chainId, list, after), ...lanes])) {
      await startActive(services, chainId, after);
      return after;
    }
  }
  throw new ThrottledError(`the signers of chain ${chainId} are being changed by others at this moment`);
}

function listChange(chainId: number, list: SignerList | undefined, after: Signers): Change {
  const key = signersRecord(chainId);
  const put = {
    schema: 1,
    version: (list?.version ?? 0) + 1,
    signers: after.map((signer) => ({ ...signer })),
  };
  return list ? { key, put, expect: { version: list.version } } : { key, put, ifAbsent: true };
}

async function laneChanges(
  services: Services,
  chainId: number,
  { before, after }: Readonly<Record<'before' | 'after', Signers>>,
): Promise<Change[]> {
  const stateBefore = new Map(before.map(({ address, state }) => [address, state]));
  const changed = after.filter(({ address, state }) => state !== stateBefore.get(address));
  const changes = await Promise.all(changed.map((signer) => laneChange(services, chainId, signer)));
  return changes.flat();
}

/**
 * A lane that is to stop needs a record that says so: without one, the next function to open it would assign nonces.
 */
async function laneChange(
  services: Services,
  chainId: number,
  { address, state }: ChainSigner,
): Promise<Change[]> {
  const lane = laneName(chainId, address);
  if (state !== 'active') {
    // A leaked key stops at once, regardless of what was sent with it elsewhere.
    const stop = state === 'revoked' ? stoppedLaneState : openOrReadLane;
    return [changeState(await stop(services, services.chain(chainId), lane), { retired: state })];
  }
  const known = await findLaneState(services.records, lane);
  return known?.retired ? [changeState(known, { retired: undefined, cappedSince: undefined })] : [];
}

/** Starts the active signer's lane, which sends the queued operations from now on. */
async function startActive(services: Services, chainId: number, signers: Signers): Promise<void> {
  const active = signers.find(({ state }) => state === 'active');
  if (active) await tryStartLane(services, laneName(chainId, active.address));
}
