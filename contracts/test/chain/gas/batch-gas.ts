import { encodeFunctionData, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { hash } from '../attest.ts';
import { batchCalldata, batchHash, type Member } from '../batch.ts';
import { executeCalldata } from '../forwarder.ts';
import { author, platform } from '../registry.ts';
import type { GasMeter } from './gas.ts';

/** Gas and calldata of a batch's commit and reveals for each member. */
export interface BatchRow {
  readonly gas: number;
  readonly calldataBytes: number;
  /** Gas of a link if one call sets all. */
  readonly link: number;
}

export interface BatchTable {
  readonly direct: Readonly<Record<'10' | '24' | '48' | '96', BatchRow>>;
  readonly forwarded: Readonly<Record<'1' | '10' | '24' | '48' | '96' | '383', BatchRow>>;
  /** 48 through the forwarder: an authority each, digests attested by others before, revealed in two halves. */
  readonly authorities: BatchRow;
  readonly attestedBefore: BatchRow;
  readonly halves: BatchRow;
}

let count = 0;

/** Members with pseudorandom values, the same in every run. */
export function members(size: number, fields: (n: number) => Partial<Member> = () => ({})): Member[] {
  return Array.from({ length: size }, (_, i) => {
    const n = count++;
    const random = { salt: hash(400_000 + n), digest: hash(500_000 + n), quoteRoot: hash(600_000 + n) };
    return { authority: author, ...random, ...fields(i) };
  });
}

export class BatchSender {
  readonly #meter: GasMeter;
  readonly #isForwarder: boolean;
  constructor(meter: GasMeter, isForwarder: boolean) {
    this.#meter = meter;
    this.#isForwarder = isForwarder;
  }

  get address(): Hex {
    return this.#isForwarder ? this.#meter.forwarder : platform;
  }

  async send(data: Hex, limit?: bigint): Promise<{ gas: number; bytes: number }> {
    const bytes = (this.#isForwarder ? executeCalldata([data]) : data).length / 2 - 1;
    const sent = this.#isForwarder ? this.#meter.byForwarder(data, limit) : this.#meter.byKey(data, limit);
    return { gas: await sent, bytes };
  }

  async row(batch: readonly Member[], parts = 1): Promise<BatchRow> {
    const args = [batchHash(this.address, batch)] as const;
    const sent = [await this.send(encodeFunctionData({ abi, functionName: 'commit', args }))];
    await this.#meter.pass();
    const size = batch.length / parts;
    for (let part = 0; part < parts; part += 1) {
      sent.push(await this.send(batchCalldata(batch, (position) => Math.floor(position / size) === part)));
    }
    const sum = (of: 'gas' | 'bytes') =>
      Math.round(sent.reduce((total, one) => total + one[of], 0) / batch.length);
    return { gas: sum('gas'), calldataBytes: sum('bytes'), link: await this.#link(batch) };
  }

  async #link(batch: readonly Member[]): Promise<number> {
    const ids = await Promise.all(
      batch.map(({ digest, authority }) => this.#meter.indexOf(digest, authority)),
    );
    const args = [ids, batch.map(({ digest }) => hash(Number(BigInt(digest) % 1_000_003n)))] as const;
    const { gas } = await this.send(encodeFunctionData({ abi, functionName: 'setChildIpfsHashes', args }));
    return Math.round(gas / batch.length);
  }

  /** The minimum of three, because every 256 indices a new word of page bits costs more. */
  async best(row: () => Promise<BatchRow>): Promise<BatchRow> {
    const rows = [await row(), await row(), await row()];
    return rows.reduce((best, one) => (one.gas < best.gas ? one : best));
  }

  ofAuthorities(owners: readonly Hex[]): Promise<BatchRow> {
    return this.best(() => this.row(members(owners.length, (i) => ({ authority: owners[i] ?? author }))));
  }

  attestedBefore(size: number, authority: Hex): Promise<BatchRow> {
    return this.best(async () => {
      const before = members(size);
      await this.row(before);
      return this.row(members(size, (i) => ({ authority, digest: before[i]?.digest ?? '0x' })));
    });
  }

  async table<Size extends number>(...sizes: readonly Size[]): Promise<Record<`${Size}`, BatchRow>> {
    const rows: [string, BatchRow][] = [];
    for (const size of sizes) rows.push([`${size}`, await this.best(() => this.row(members(size)))]);
    return Object.fromEntries(rows) as Record<`${Size}`, BatchRow>;
  }
}

export async function forwardedAuthorities(meter: GasMeter): Promise<Hex[]> {
  const accounts = Array.from({ length: 48 }, (_, i) => privateKeyToAccount(hash(700_000 + i)));
  for (const account of accounts) await meter.delegate(account, meter.forwarder);
  return accounts.map(({ address }) => address);
}

export async function measureBatches(meter: GasMeter): Promise<BatchTable> {
  const key = new BatchSender(meter, false);
  const forwarder = new BatchSender(meter, true);
  await meter.delegateAuthor(platform);
  const direct = await key.table(10, 24, 48, 96);
  await meter.delegateAuthor(meter.forwarder);
  const forwarded = await forwarder.table(1, 10, 24, 48, 96, 383);
  const owners = await forwardedAuthorities(meter);
  const authorities = await forwarder.ofAuthorities(owners);
  const attestedBefore = await forwarder.attestedBefore(48, owners[0] ?? author);
  const halves = await forwarder.best(() => forwarder.row(members(48), 2));
  return { direct, forwarded, authorities, attestedBefore, halves };
}
