import type { Address } from 'viem';
import { RefusedError } from '../errors.ts';
import { laneName } from '../lane/lane.ts';
import { changeState, findLaneState, openOrReadLane } from '../lane/lane-records.ts';
import { laneServices } from '../lane/lane-services.ts';
import {
  type ChainSigner,
  chainSigners,
  findSignerList,
  type SignerList,
  signersRecord,
} from '../lane/signers.ts';
import { type Change, retryLostRaces } from '../records.ts';
import type { Services } from '../services.ts';
import { tryStartLane } from './lane-control.ts';

type Signers = readonly ChainSigner[];

/** Makes a signer the active one, which sends from the next transaction on. @throws RefusedError for a revoked one */
export function activateSigner(services: Services, chainId: number, signer: Omit<ChainSigner, 'state'>) {
  return changeSigners(services, chainId, (signers) => activate(signers, signer));
}

/** Revokes a signer permanently: its lane assigns no more nonces. @throws RefusedError */
export function revokeSigner(
  services: Services,
  chainId: number,
  address: Address,
  options: { readonly force?: boolean } = {},
): Promise<Signers> {
  return changeSigners(services, chainId, (signers) => {
    if (!signers.some((signer) => signer.address === address))
      throw new RefusedError(
        `chain ${chainId} has no signer ${address}; \`signer list --chain ${chainId}\` shows them`,
      );
    return revoke(signers, address, options);
  });
}

/** Activates a signer. The former one settles its pending transactions, and the new one sends the queued operations. */
function activate(signers: Signers, { address, keyId }: Omit<ChainSigner, 'state'>): Signers {
  const known = signers.find((signer) => signer.address === address);
  if (known?.state === 'active') return signers;
  // A leaked key never gets new transactions again.
  if (known?.state === 'revoked')
    throw new RefusedError(`the signer ${address} is revoked permanently; rotate to a new one`);
  const others = signers.filter((signer) => signer !== known);
  const former = others.map(
    (signer): ChainSigner => (signer.state === 'active' ? { ...signer, state: 'draining' } : signer),
  );
  return [...former, { address, ...(keyId === undefined ? {} : { keyId }), state: 'active' }];
}

/**
 * Revokes a signer. If it was active, the newest other one becomes active.
 * @throws RefusedError for the last, unless forced
 */
function revoke(signers: Signers, address: Address, { force = false } = {}): Signers {
  const signer = signers.find((each) => each.address === address);
  if (!signer || signer.state === 'revoked') return signers;
  const successor = signers.findLast((each) => each.address !== address && each.state !== 'revoked');
  if (!successor && !force)
    throw new RefusedError(
      `${address} is the only signer left; rotate first, or repeat with --force: nothing is sent until another is added`,
    );
  return signers.map((each): ChainSigner => {
    if (each === signer) return { ...each, state: 'revoked' };
    return each === successor && signer.state === 'active' ? { ...each, state: 'active' } : each;
  });
}

/** Changes the list and the lanes in one write, so that two lanes never send from one queue at the same time. */
async function changeSigners(services: Services, chainId: number, change: (signers: Signers) => Signers) {
  const tryChange = async () => {
    const list = await findSignerList(services.records, chainId);
    const before = list?.signers ?? (await chainSigners(services, chainId));
    const after = change(before);
    if (after === before) return after;
    const lanes = await laneChanges(services, chainId, { before, after });
    if (!(await services.records.transact([listChange(chainId, list, after), ...lanes]))) return undefined;
    const active = after.find(({ state }) => state === 'active');
    if (active) await tryStartLane(services, laneName(chainId, active.address));
    return after;
  };
  return retryLostRaces(tryChange, `the signers of chain ${chainId}`);
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

/** Returns the lane's change. A stopped lane needs a record, because a lane without one assigns nonces when opened. */
async function laneChange(services: Services, chainId: number, { address, state }: ChainSigner) {
  const lane = laneName(chainId, address);
  if (state !== 'active') {
    // A leaked key stops at once, even if transactions that it sent elsewhere are not final.
    const purpose = state === 'revoked' ? 'stop' : 'send';
    return [changeState(await openOrReadLane(laneServices(services, lane), purpose), { retired: state })];
  }
  const known = await findLaneState(services.records, lane);
  return known?.retired ? [changeState(known, { retired: undefined, cappedSince: undefined })] : [];
}
