import type { Address } from 'viem';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { type LaneState, laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { waitingQueues } from '../../../functions/domain/lane/queue-records.ts';
import type { Records } from '../../../functions/domain/records.ts';
import type { Signer } from '../../../functions/domain/services.ts';

export interface Viewed {
  readonly records: Records;
  readonly chainId: number;
  readonly forwarderAddress: Address;
  /** The service's signers at the time of the call. */
  readonly signers: () => readonly Pick<Signer, 'address'>[];
}

export function viewsOf({ records, chainId, forwarderAddress, signers }: Viewed) {
  const addresses = () => signers().map(({ address }) => address);
  const lanes = async (): Promise<LaneState[]> => {
    const states = addresses().map((address) => findLaneState(records, laneName(chainId, address)));
    return (await Promise.all(states)).filter((state) => state !== undefined);
  };
  return {
    lanes,
    /** Whether a lane has a transaction that is not final, or a delegate's queue has an operation. */
    owes: async (): Promise<boolean> => {
      if ((await lanes()).some(({ finalNonce, nextNonce }) => finalNonce < nextNonce)) return true;
      const queues = [forwarderAddress, ...addresses()].map((delegateAddress) => ({
        chainId,
        delegateAddress,
      }));
      return (await waitingQueues(records, queues)).length > 0;
    },
    row: async ({ organizationId, id }: Pick<Attestation, 'organizationId' | 'id'>): Promise<Attestation> => {
      const row = await findAttestation(records, { organizationId, id });
      if (!row) throw new Error(`no attestation ${id}`);
      return row;
    },
  };
}
