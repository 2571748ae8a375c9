import { encodeFunctionData, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { hash } from '../attest.ts';
import { batchCalldata, batchHash, type Member } from '../batch.ts';
import { fundedAccount } from '../chain.ts';
import { author } from '../registry.ts';
import type { GasMeter, Route } from './gas.ts';

/** Members with pseudorandom values, the same in every run. @param nextNumber returns another number for each member */
export function members(
  nextNumber: () => number,
  size: number,
  fields: (position: number) => Partial<Member> = () => ({}),
): Member[] {
  return Array.from({ length: size }, (_, i) => {
    const n = nextNumber();
    const random = { salt: hash(400_000 + n), digest: hash(500_000 + n), quoteRoot: hash(600_000 + n) };
    return { authority: author, ...random, ...fields(i) };
  });
}

export const commitOf = (sender: Hex, batch: readonly Member[]): Hex =>
  encodeFunctionData({ abi, functionName: 'commit', args: [batchHash(sender, batch)] });

/** Gas of a link for each member, if one call links all of them. */
async function linkGas(meter: GasMeter, route: Route, batch: readonly Member[]): Promise<number> {
  const { view } = meter.registry;
  const ids = await Promise.all(
    batch.map(({ digest, authority }) => view.cidAndAddressToAttestationIndices([digest, authority])),
  );
  const args = [ids, batch.map(({ digest }) => hash(Number(BigInt(digest) % 1_000_003n)))] as const;
  const data = encodeFunctionData({ abi, functionName: 'setChildIpfsHashes', args });
  return Math.round((await meter.send(route, [data])).gas / batch.length);
}

/** Gas and calldata of a batch's commit and reveals, and gas of its links, for each member. */
async function rowOf(meter: GasMeter, route: Route, batch: readonly Member[], parts = 1) {
  const sent = [await meter.send(route, [commitOf(meter.senderOf(route), batch)])];
  await meter.passRevealDelay();
  const size = batch.length / parts;
  for (let part = 0; part < parts; part += 1) {
    const reveal = batchCalldata(batch, (position) => Math.floor(position / size) === part);
    sent.push(await meter.send(route, [reveal]));
  }
  const sum = (field: 'gas' | 'bytes') =>
    Math.round(sent.reduce((total, item) => total + item[field], 0) / batch.length);
  return { gas: sum('gas'), calldataBytes: sum('bytes'), link: await linkGas(meter, route, batch) };
}

type BatchRow = Awaited<ReturnType<typeof rowOf>>;

/** Returns the cheapest of three rows, because a new word of page bits costs more every 256 indices. */
async function cheapest(row: () => Promise<BatchRow>): Promise<BatchRow> {
  const rows = [await row(), await row(), await row()];
  return rows.reduce((best, item) => (item.gas < best.gas ? item : best));
}

export async function table<Size extends number>(meter: GasMeter, route: Route, ...sizes: readonly Size[]) {
  const rows: [string, BatchRow][] = [];
  for (const size of sizes)
    rows.push([`${size}`, await cheapest(() => rowOf(meter, route, members(meter.nextMember, size)))]);
  return Object.fromEntries(rows) as Record<`${Size}`, BatchRow>;
}

/** Measures batches of 48 by the forwarder: one authority for each member, and contents that others attested before. */
export async function measureAuthorities(meter: GasMeter) {
  const owners = Array.from({ length: 48 }, (_, i) => privateKeyToAccount(hash(700_000 + i)));
  for (const owner of owners) await meter.delegate(owner, meter.forwarder);
  const ownerOf = (i: number) => ({ authority: owners[i]?.address ?? author });
  const authorities = await cheapest(() => rowOf(meter, 'forwarder', members(meter.nextMember, 48, ownerOf)));
  const attestedBefore = await cheapest(async () => {
    const before = members(meter.nextMember, 48);
    await rowOf(meter, 'forwarder', before);
    const again = members(meter.nextMember, 48, (i) => ({
      ...ownerOf(0),
      digest: before[i]?.digest ?? '0x',
    }));
    return rowOf(meter, 'forwarder', again);
  });
  return { authorities, attestedBefore };
}

export async function measureBatches(meter: GasMeter) {
  await meter.delegate(fundedAccount(1), meter.senderOf('key'));
  const direct = await table(meter, 'key', 10, 24, 48, 96);
  await meter.delegate(fundedAccount(1), meter.forwarder);
  const forwarded = await table(meter, 'forwarder', 1, 10, 24, 48, 96, 383);
  const { authorities, attestedBefore } = await measureAuthorities(meter);
  const halves = await cheapest(() => rowOf(meter, 'forwarder', members(meter.nextMember, 48), 2));
  return { direct, forwarded, authorities, attestedBefore, halves };
}
