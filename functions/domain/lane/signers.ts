import type { Address } from 'viem';
import { ExpectedError, SignerMismatchError } from '../errors.ts';
import type { Fields, Key, Records, Value } from '../records.ts';
import type { Services, Signer } from '../services.ts';
import { isAddress, isList, isNumber, isText, parseRecord, type RecordForm } from '../stored-record.ts';
import { laneName, parseLane, type Queue } from './lane.ts';

/** A key that sends, or sent, for the forwarders of a chain. */
export interface ChainSigner {
  readonly address: Address;
  /** Its KMS key; absent for the stack's own. */
  readonly keyId?: string;
  /** State of the key. At most one is active and sends what is queued. The others only settle open transactions. */
  readonly state: 'active' | 'draining' | 'revoked';
}

const signerForm: RecordForm<ChainSigner> = {
  kind: 'signer',
  required: { address: isAddress, state: ['active', 'draining', 'revoked'] },
  optional: { keyId: isText },
};

/** The signers of one chain, in the order in which they were added. A chain without it has the stack's own key. */
export interface SignerList {
  readonly schema: 1;
  readonly version: number;
  readonly signers: readonly ChainSigner[];
}

type StoredList = Omit<SignerList, 'signers'> & { readonly signers: readonly Value[] };

const listForm: RecordForm<StoredList> = {
  kind: 'signer list',
  required: { schema: 1, version: isNumber, signers: isList },
  optional: {},
};

/** Parses a chain's list of signers. @throws RecordInvalidError */
export function parseSignerList(fields: Fields): SignerList {
  const { signers, ...list } = parseRecord(listForm, fields);
  return { ...list, signers: signers.map((signer) => parseRecord(signerForm, signer)) };
}

export function signersRecord(chainId: number): Key {
  return { table: 'lanes', pk: `signers#${chainId}`, sk: 'SIGNERS' };
}

export async function findSignerList(records: Records, chainId: number): Promise<SignerList | undefined> {
  const fields = await records.get(signersRecord(chainId));
  return fields && parseSignerList(fields);
}

/** Lists every signer that the chain ever had, oldest first. */
export async function chainSigners(services: Services, chainId: number): Promise<readonly ChainSigner[]> {
  const list = await findSignerList(services.records, chainId);
  return list?.signers ?? [{ address: (await services.signer()).address, state: 'active' }];
}

/**
 * The lane that sends for a delegate now. The stack's own key sends as itself; for a forwarder it is the active signer.
 * With every signer revoked it is the newest one's, which is retired: nothing is bound until another is added.
 */
export async function laneOf(services: Services, { chainId, delegateAddress }: Queue): Promise<string> {
  const own = await services.signer();
  if (own.address === delegateAddress) return laneName(chainId, own.address);
  const signers = await chainSigners(services, chainId);
  const sender = signers.find(({ state }) => state === 'active') ?? signers.at(-1) ?? own;
  return laneName(chainId, sender.address);
}

/** The key of a lane. @throws SignerMismatchError when the deployment has no such key. */
export async function laneSigner(services: Services, lane: string): Promise<Signer> {
  const { chainId, signerAddress } = parseLane(lane);
  const own = await services.signer();
  if (own.address === signerAddress) return own;
  const signers = await chainSigners(services, chainId);
  const keyId = signers.find(({ address }) => address === signerAddress)?.keyId;
  const signer = keyId === undefined ? own : await services.signer(keyId);
  if (signer.address === signerAddress) return signer;
  throw new SignerMismatchError(`the signing key is not the one of lane ${lane}`);
}

export class SignerMissingError extends ExpectedError {
  constructor(chainId: number, address: Address) {
    super(`chain ${chainId} has no signer ${address}; \`signer list --chain ${chainId}\` shows them`);
  }
}

/** Refusal to activate a revoked key: a key that leaked once never signs again. */
class SignerRevokedError extends ExpectedError {
  constructor(address: Address) {
    super(`the signer ${address} is revoked for good; rotate to a new one`);
  }
}

/** Refusal to revoke the last signer: no key could send afterwards. */
class SignerLastError extends ExpectedError {
  constructor(address: Address) {
    super(
      `${address} is the only signer left; rotate first, or repeat with --force: nothing is sent until another is added`,
    );
  }
}

export type Signers = readonly ChainSigner[];

/**
 * The list with that signer active and the former active one draining. The former one settles its open transactions;
 * the new one sends what they leave undone.
 *
 * @throws SignerRevokedError
 */
export function withActive(signers: Signers, { address, keyId }: Omit<ChainSigner, 'state'>): Signers {
  const known = signers.find((signer) => signer.address === address);
  if (known?.state === 'active') return signers;
  if (known?.state === 'revoked') throw new SignerRevokedError(address);
  const others = signers.filter((signer) => signer !== known);
  const former = others.map((signer) => (signer.state === 'active' ? drained(signer) : signer));
  return [...former, { address, ...(keyId === undefined ? {} : { keyId }), state: 'active' }];
}

function drained(signer: ChainSigner): ChainSigner {
  return { ...signer, state: 'draining' };
}

/**
 * The list without that signer; if it was the active one, the newest that is not revoked is active instead.
 *
 * @throws SignerLastError when no key could send any more, unless forced
 */
export function withoutSigner(signers: Signers, address: Address, { force = false } = {}): Signers {
  const signer = signers.find((one) => one.address === address);
  if (!signer || signer.state === 'revoked') return signers;
  const successor = signers.findLast((one) => one.address !== address && one.state !== 'revoked');
  if (!successor && !force) throw new SignerLastError(address);
  return signers.map((one): ChainSigner => {
    if (one === signer) return { ...one, state: 'revoked' };
    return one === successor && signer.state === 'active' ? { ...one, state: 'active' } : one;
  });
}
