import * as z from 'zod';
import { SignerMismatchError } from '../errors.ts';
import type { Fields, Key, Records } from '../records.ts';
import type { Services, Signer } from '../services.ts';
import { address, formOf, parseRecord } from '../stored-record.ts';
import { laneName, type Queue } from './lane.ts';
import type { LaneServices } from './lane-services.ts';

const signerForm = formOf(
  {
    address,
    /** At most one key is active. The others settle pending transactions; a draining key also sends for itself. */
    state: z.enum(['active', 'draining', 'revoked']),
  },
  {
    /** ID of its KMS key; absent for the stack's own key. */
    keyId: z.string(),
  },
);

export type ChainSigner = z.output<typeof signerForm>;

/** The signers of one chain, in the order of their rotations. A chain without this record has only the stack's own key. */
const listForm = formOf({ schema: z.literal(1), version: z.number(), signers: z.array(signerForm) });

export type SignerList = z.output<typeof listForm>;

export function parseSignerList(fields: Fields): SignerList {
  return parseRecord('signer list', listForm, fields);
}

export function signersRecord(chainId: number): Key {
  return { table: 'lanes', pk: `signers#${chainId}`, sk: 'SIGNERS' };
}

export async function findSignerList(records: Records, chainId: number): Promise<SignerList | undefined> {
  const fields = await records.get(signersRecord(chainId));
  return fields && parseSignerList(fields);
}

export async function chainSigners(services: Services, chainId: number): Promise<readonly ChainSigner[]> {
  const list = await findSignerList(services.records, chainId);
  return list?.signers ?? [{ address: (await services.signer()).address, state: 'active' }];
}

/** Returns the lane that sends for a delegate. If every signer is revoked, it is the last one's, which sends nothing. */
export async function laneOf(services: Services, { chainId, delegateAddress }: Queue): Promise<string> {
  const stackSigner = await services.signer();
  if (stackSigner.address === delegateAddress) return laneName(chainId, stackSigner.address);
  const signers = await chainSigners(services, chainId);
  const sender = signers.find(({ state }) => state === 'active') ?? signers.at(-1) ?? stackSigner;
  return laneName(chainId, sender.address);
}

/** Returns the signer of the lane's key. @throws SignerMismatchError if the deployment does not have the key */
export async function laneSigner(services: LaneServices): Promise<Signer> {
  const { lane, chainId, signerAddress } = services;
  const stackSigner = await services.signer();
  if (stackSigner.address === signerAddress) return stackSigner;
  const signers = await chainSigners(services, chainId);
  const keyId = signers.find(({ address }) => address === signerAddress)?.keyId;
  const signer = keyId === undefined ? stackSigner : await services.signer(keyId);
  if (signer.address === signerAddress) return signer;
  throw new SignerMismatchError(`the deployment does not have the key of lane ${lane}`);
}
