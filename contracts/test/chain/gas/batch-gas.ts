import { encodeFunctionData, type Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { hash } from '../attest.ts';
import { batchCalldata, batchHash, type Member } from '../batch.ts';
import { executeCalldata } from '../forwarder.ts';
import { author, platform } from '../registry.ts';

/** A batch: gas and calldata of its commit and its reveals together, shared out over its members. */
export interface BatchRow {
  readonly gas: number;
  readonly calldataBytes: number;
  /** Gas of a link, all of them set in one call. */
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

/** What sends calls and says what they cost. */
export interface BatchMeter {
  readonly forwarder: Hex;
  byKey(data: Hex): Promise<number>;
  byForwarder(data: Hex): Promise<number>;
  delegateAuthor(to: Hex): Promise<number>;
  delegate(authority: PrivateKeyAccount, to: Hex): Promise<void>;
  pass(): Promise<void>;
  indexOf(digest: Hex, authority: Hex): Promise<bigint>;
}

let count = 0;

/** Random in all that is random in life, and always the same. */
function members(size: number, fields: (n: number) => Partial<Member> = () => ({})): Member[] {
  return Array.from({ length: size }, (_, i) => {
    const n = count++;
    const random = { salt: hash(400_000 + n), digest: hash(500_000 + n), quoteRoot: hash(600_000 + n) };
    return { authority: author, ...random, ...fields(i) };
  });
}

/** How a key or a forwarder sends batches. */
class Sender {
  readonly #meter: BatchMeter;
  readonly #isForwarder: boolean;
  constructor(meter: BatchMeter, isForwarder: boolean) {
    this.#meter = meter;
    this.#isForwarder = isForwarder;
  }

  get address(): Hex {
    return this.#isForwarder ? this.#meter.forwarder : platform;
  }

  async send(data: Hex): Promise<{ gas: number; bytes: number }> {
    const bytes = (this.#isForwarder ? executeCalldata([data]) : data).length / 2 - 1;
    const gas = await (this.#isForwarder ? this.#meter.byForwarder(data) : this.#meter.byKey(data));
    return { gas, bytes };
  }

  /** Reveals the members in so many parts. */
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

  /** The least of three: every 256 indices the bits of their pages take a new word, which is none of a batch's own. */
  async best(row: () => Promise<BatchRow>): Promise<BatchRow> {
    const rows = [await row(), await row(), await row()];
    return rows.reduce((best, one) => (one.gas < best.gas ? one : best));
  }

  async table<Size extends number>(...sizes: readonly Size[]): Promise<Record<`${Size}`, BatchRow>> {
    const rows: [string, BatchRow][] = [];
    for (const size of sizes) rows.push([`${size}`, await this.best(() => this.row(members(size)))]);
    return Object.fromEntries(rows) as Record<`${Size}`, BatchRow>;
  }
}

/** Measures batches by the key and through the forwarder. */
export async function measureBatches(meter: BatchMeter): Promise<BatchTable> {
  const key = new Sender(meter, false);
  const forwarder = new Sender(meter, true);
  await meter.delegateAuthor(platform);
  const direct = await key.table(10, 24, 48, 96);
  await meter.delegateAuthor(meter.forwarder);
  const forwarded = await forwarder.table(1, 10, 24, 48, 96, 383);
  const accounts = Array.from({ length: 48 }, (_, i) => privateKeyToAccount(hash(700_000 + i)));
  for (const account of accounts) await meter.delegate(account, meter.forwarder);
  const owner = (i: number) => ({ authority: accounts[i]?.address ?? author });
  const authorities = await forwarder.best(() => forwarder.row(members(48, owner)));
  const attestedBefore = await forwarder.best(async () => {
    const before = members(48);
    await forwarder.row(before);
    return forwarder.row(
      members(48, (i) => ({ authority: accounts[0]?.address ?? author, digest: before[i]?.digest ?? '0x' })),
    );
  });
  const halves = await forwarder.best(() => forwarder.row(members(48), 2));
  return { direct, forwarded, authorities, attestedBefore, halves };
}
