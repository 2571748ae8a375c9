import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import type { BlockClock } from './block-clock.ts';
import type { IdleService } from './idle-service.ts';
import type { Probe } from './probe.ts';

/** State of the idle service's lane, from its record. */
export interface LaneNow {
  /** Number of transactions bound so far, and of those that are final. */
  readonly bound: number;
  readonly final: number;
  /** Input that the lane's state machine would give its function. */
  readonly tick: object;
}

/** Everything that the measurement of one life of an attestation needs. */
export interface BenchContext {
  readonly probe: Probe;
  readonly blocks: BlockClock;
  readonly service: IdleService;
  readonly organizationId: string;
  /** The idle service's tables, read without the proxy and so not counted. */
  readonly records: Records;
  /** Makes a text to attest; each number gives another. */
  article(number: number): string;
  lane(): Promise<LaneNow>;
}

type Parts = Pick<BenchContext, 'probe' | 'blocks' | 'service'>;

/** Makes the context. @param text beginning of every article */
export function openContext({ endpoint, chain }: Stack, parts: Parts, text: string): BenchContext {
  const { tables, signerAddress, organizationId } = parts.service;
  const records = composeRecords(tables, new DynamoDBClient(clientOptions(endpoint)));
  const lane = laneName(chain.chainId, signerAddress);
  return {
    ...parts,
    organizationId,
    records,
    article: (number) => `${text}\n${number}\n`,
    async lane() {
      const state = await findLaneState(records, lane);
      const { nextNonce = 0, finalNonce = 0, run = 1 } = state ?? {};
      return { bound: nextNonce, final: finalNonce, tick: { lane, run, turn: 0 } };
    },
  };
}
