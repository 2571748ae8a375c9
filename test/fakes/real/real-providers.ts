import { receiptsHidden, sendsForgotten, stale } from '../rpc/rpc-answers.ts';
import type { RpcProxy, RpcRule } from '../rpc/rpc-proxy.ts';

const unreachable: RpcRule = { fault: { kind: 'request dropped' } };
const sendAnswersLost: RpcRule = { fault: { kind: 'answer dropped' }, methods: ['eth_sendRawTransaction'] };

/** Faults of all providers of a chain at once, under the names of `SimulatedChain`. */
export class RealProviders {
  readonly #proxies: readonly RpcProxy[];
  readonly #lifts = new Map<string, () => void>();
  #lagBlocks = 0;

  constructor(proxies: readonly RpcProxy[]) {
    this.#proxies = proxies;
  }

  set unreachable(wrong: boolean) {
    this.#set('unreachable', wrong ? unreachable : undefined);
  }

  /** The providers take what they are sent and then do not answer. */
  set losesSendAnswers(wrong: boolean) {
    this.#set('losesSendAnswers', wrong ? sendAnswersLost : undefined);
  }

  /** The providers answer as if they took what they are sent, and drop it. */
  set forgetsSent(wrong: boolean) {
    this.#set('forgetsSent', wrong ? sendsForgotten : undefined);
  }

  /** The providers know the account's nonce, but find no receipt. */
  set hidesReceipts(wrong: boolean) {
    this.#set('hidesReceipts', wrong ? receiptsHidden : undefined);
  }

  get lagBlocks(): number {
    return this.#lagBlocks;
  }

  /** The providers answer as they would have so many blocks ago. */
  set lagBlocks(blocks: number) {
    this.#lagBlocks = blocks;
    this.#set('lagBlocks', blocks > 0 ? stale(blocks) : undefined);
  }

  #set(name: string, rule: RpcRule | undefined): void {
    this.#lifts.get(name)?.();
    this.#lifts.delete(name);
    if (!rule) return;
    const lifts = this.#proxies.map((proxy) => proxy.set(rule));
    this.#lifts.set(name, () => {
      for (const lift of lifts) lift();
    });
  }
}
