import { receiptsHidden, sendsForgotten, stale } from '../rpc/rpc-answers.ts';
import type { RpcProxy, RpcRule } from '../rpc/rpc-proxy.ts';

const unreachable: RpcRule = { fault: { kind: 'request dropped' } };
const sendAnswersLost: RpcRule = { fault: { kind: 'answer dropped' }, methods: ['eth_sendRawTransaction'] };

/** What may be wrong with all providers of a chain at once, by the names that `SimulatedChain` has. */
export class RealProviders {
  readonly #proxies: readonly RpcProxy[];
  /** What lifts the rules in force, by name. */
  readonly #lifts = new Map<string, () => void>();
  #lagBlocks = 0;

  constructor(proxies: readonly RpcProxy[]) {
    this.#proxies = proxies;
  }

  /** Every question fails, and so does every send. */
  set unreachable(wrong: boolean) {
    this.#set('unreachable', wrong ? unreachable : undefined);
  }

  /** Takes what is sent and then does not answer. */
  set losesSendAnswers(wrong: boolean) {
    this.#set('losesSendAnswers', wrong ? sendAnswersLost : undefined);
  }

  /** Answers as if it took what is sent, and forgets it. */
  set forgetsSent(wrong: boolean) {
    this.#set('forgetsSent', wrong ? sendsForgotten : undefined);
  }

  /** Knows the account's nonce, but finds no receipt. */
  set hidesReceipts(wrong: boolean) {
    this.#set('hidesReceipts', wrong ? receiptsHidden : undefined);
  }

  get lagBlocks(): number {
    return this.#lagBlocks;
  }

  /** Answers as of so many blocks ago. */
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
