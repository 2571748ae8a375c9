import { laggingRule, receiptsHidden, sendsForgotten } from '../rpc/rpc-answers.ts';
import type { RpcProxy, RpcRule } from '../rpc/rpc-proxy.ts';

const unreachable: RpcRule = { fault: { kind: 'request dropped' } };
const sendAnswersLost: RpcRule = { fault: { kind: 'answer dropped' }, methods: ['eth_sendRawTransaction'] };

/** Faults of all providers of a chain at once, under the names of `SimulatedChain`. */
export class RealProviders {
  readonly #proxies: readonly RpcProxy[];
  readonly #removers = new Map<string, () => void>();
  #lagBlocks = 0;

  constructor(proxies: readonly RpcProxy[]) {
    this.#proxies = proxies;
  }

  set unreachable(enabled: boolean) {
    this.#set('unreachable', enabled ? unreachable : undefined);
  }

  /** The providers accept transactions and then do not answer. */
  set losesSendAnswers(enabled: boolean) {
    this.#set('losesSendAnswers', enabled ? sendAnswersLost : undefined);
  }

  /** The providers report that they accepted a transaction, and drop it. */
  set forgetsSent(enabled: boolean) {
    this.#set('forgetsSent', enabled ? sendsForgotten : undefined);
  }

  /** The providers know the account's nonce, but find no receipt. */
  set hidesReceipts(enabled: boolean) {
    this.#set('hidesReceipts', enabled ? receiptsHidden : undefined);
  }

  get lagBlocks(): number {
    return this.#lagBlocks;
  }

  /** The providers answer as they would have that many blocks ago. */
  set lagBlocks(blocks: number) {
    this.#lagBlocks = blocks;
    this.#set('lagBlocks', blocks > 0 ? laggingRule(blocks) : undefined);
  }

  #set(name: string, rule: RpcRule | undefined): void {
    this.#removers.get(name)?.();
    this.#removers.delete(name);
    if (!rule) return;
    const removers = this.#proxies.map((proxy) => proxy.addRule(rule));
    this.#removers.set(name, () => {
      for (const remove of removers) remove();
    });
  }
}
