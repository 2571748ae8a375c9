import type { Address, Hex } from 'viem';
import type { ChainSettings } from '../../../functions/domain/settings.ts';

/** Settings of a chain whose blocks are final at a depth. */
export type DepthSettings = ChainSettings & { readonly confirmations: number };

const isByDepth = (settings: ChainSettings): settings is DepthSettings =>
  settings.confirmations !== 'finalized';

/** Returns the settings. @throws Error if they do not define finality by depth */
export function requireDepthSettings(settings: ChainSettings): DepthSettings {
  if (!isByDepth(settings)) throw new Error('a fake chain supports only finality by depth');
  return settings;
}

export interface Entry {
  readonly digest: Hex;
  readonly quoteRoot: Hex;
  readonly authorityAddress: Address;
  readonly timestamp: number;
  readonly revokedAt: number;
  readonly childDigest?: Hex;
}

/** Values that a chain keeps, by kind. Each kind has its own keys. */
export interface Slots {
  balance: bigint;
  nonce: number;
  /** Set for the address of each `DelegateForwarder`. */
  forwarder: true;
  operator: true;
  commit: number;
  entry: Entry;
  index: number;
  /** Number of attestations. Its only key is the empty string. */
  entryCount: number;
  delegate: Address;
}

export interface ReadableState {
  get<Kind extends keyof Slots>(kind: Kind, key: string): Slots[Kind] | undefined;
}

export interface State extends ReadableState {
  set<Kind extends keyof Slots>(kind: Kind, key: string, value: Slots[Kind] | undefined): void;
  apply(draft: Pick<Draft, 'writes'>): void;
}

const slotOf = (kind: keyof Slots, key: string): string => `${kind} ${key}`;

type Writes = ReadonlyMap<string, Slots[keyof Slots] | undefined>;

export class Draft implements State {
  readonly #below: ReadableState;
  readonly #writes = new Map<string, Slots[keyof Slots] | undefined>();

  constructor(below: ReadableState) {
    this.#below = below;
  }

  get writes(): Writes {
    return this.#writes;
  }

  get<Kind extends keyof Slots>(kind: Kind, key: string): Slots[Kind] | undefined {
    const slot = slotOf(kind, key);
    if (!this.#writes.has(slot)) return this.#below.get(kind, key);
    return this.#writes.get(slot) as Slots[Kind] | undefined;
  }

  set<Kind extends keyof Slots>(kind: Kind, key: string, value: Slots[Kind] | undefined): void {
    this.#writes.set(slotOf(kind, key), value);
  }

  apply({ writes }: Pick<Draft, 'writes'>): void {
    for (const [slot, value] of writes) this.#writes.set(slot, value);
  }
}

interface Version {
  readonly blockNumber: number;
  readonly value: Slots[keyof Slots] | undefined;
}

/** The state after every block: each slot keeps its earlier values, so that a block costs only what it changes. */
export class StateHistory {
  readonly #versions = new Map<string, Version[]>();
  readonly #changed = new Map<number, Set<string>>();

  stateAt(blockNumber: number): ReadableState {
    return {
      get: <Kind extends keyof Slots>(kind: Kind, key: string) => {
        const versions = this.#versions.get(slotOf(kind, key));
        return versions?.findLast((one) => one.blockNumber <= blockNumber)?.value as Slots[Kind] | undefined;
      },
    };
  }

  /** Adds to the changes of the newest block. */
  write(blockNumber: number, writes: Writes): void {
    const changed = this.#changed.get(blockNumber) ?? new Set();
    this.#changed.set(blockNumber, changed);
    for (const [slot, value] of writes) {
      const versions = this.#versions.get(slot) ?? [];
      this.#versions.set(slot, versions);
      if (changed.has(slot)) versions.pop();
      versions.push({ blockNumber, value });
      changed.add(slot);
    }
  }

  /** Undoes the newest block. @returns what it changed */
  forget(blockNumber: number): Pick<Draft, 'writes'> {
    const slots = [...(this.#changed.get(blockNumber) ?? [])];
    this.#changed.delete(blockNumber);
    return { writes: new Map(slots.map((slot) => [slot, this.#versions.get(slot)?.pop()?.value])) };
  }
}
