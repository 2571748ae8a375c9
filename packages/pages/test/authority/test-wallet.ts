import type { Page } from 'playwright-core';
import type { Address } from 'viem';

interface RpcCall {
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Runs in the page before its own script: an EIP-1193 provider that calls the test. */
const provider = `(name, uuid, announces) => {
  const listeners = {};
  const provider = {
    request: async (call) => {
      const { result, error } = await window['wallet-' + uuid](call);
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on: (event, listener) => (listeners[event] ??= new Set()).add(listener),
    removeListener: (event, listener) => listeners[event]?.delete(listener),
  };
  window['emit-' + uuid] = (event, value) => listeners[event]?.forEach((listener) => listener(value));
  const info = { uuid, name, rdns: 'test.' + uuid, icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>' };
  const detail = Object.freeze({ info, provider });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  if (announces) {
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  } else {
    window.ethereum = provider;
  }
}`;

/** A wallet in the browser with the accounts of an anvil. It confirms everything except declined methods. */
export class TestWallet {
  readonly name: string;
  readonly #rpcUrl: string;
  accounts: readonly Address[];
  /** Current network. */
  chainId = 31_337;
  /** Known networks. */
  readonly networks = new Set([1, 31_337]);
  /** Methods that the user declines. */
  readonly declined = new Set<string>();
  /** Account that signs instead of the selected one. */
  signsWith: Address | undefined;
  /** Node of all networks except 31337. */
  otherRpcUrl: string | undefined;
  /** Runs before each answer. */
  beforeAnswer: (call: RpcCall) => Promise<void> | void = () => {};
  readonly requests: RpcCall[] = [];
  /** Number of requests with an answer. */
  answered = 0;
  #page: Page | undefined;

  constructor(rpcUrl: string, account: Address, name = 'Test Wallet') {
    this.#rpcUrl = rpcUrl;
    this.accounts = [account];
    this.name = name;
  }

  /** Installs the wallet in a page, as `window.ethereum` if it does not announce itself. */
  async install(page: Page, announces = true): Promise<void> {
    this.#page = page;
    await page.exposeFunction(`wallet-${this.#id}`, async (call: RpcCall) => {
      const answer = await this.#answer(call);
      this.answered += 1;
      return answer;
    });
    await page.addInitScript(`(${provider})(${JSON.stringify(this.name)}, '${this.#id}', ${announces})`);
  }

  /** Selects other accounts, like a user. */
  async selectAccounts(...accounts: Address[]): Promise<void> {
    this.accounts = accounts;
    await this.#emit('accountsChanged', accounts);
  }

  /** Selects a network and possibly other accounts, like a user. The page receives both events at the same time. */
  async selectNetwork(chainId: number, accounts = this.accounts): Promise<void> {
    Object.assign(this, { chainId, accounts });
    const emit = `window['emit-${this.#id}']`;
    await this.#page?.evaluate(
      `${emit}('accountsChanged', ${JSON.stringify(accounts)}), ${emit}('chainChanged', '0x${chainId.toString(16)}'), 0`,
    );
  }

  get #id(): string {
    return this.name.toLowerCase().replaceAll(' ', '-');
  }

  #emit(event: string, value: unknown): Promise<unknown> | undefined {
    return this.#page?.evaluate(
      `window['emit-${this.#id}'](${JSON.stringify(event)}, ${JSON.stringify(value)})`,
    );
  }

  async #answer(call: RpcCall): Promise<Answer> {
    this.requests.push(call);
    await this.beforeAnswer(call);
    const { method, params = [] } = call;
    if (this.declined.has(method)) return { error: { code: 4001, message: 'User rejected the request.' } };
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return { result: this.accounts };
    if (method === 'eth_chainId') return { result: `0x${this.chainId.toString(16)}` };
    if (method === 'wallet_switchEthereumChain') return this.#switch(params);
    if (method === 'eth_signTypedData_v4' && this.signsWith)
      return this.#forward({ method, params: [this.signsWith, params[1]] });
    if (this.chainId !== 31_337 && !this.otherRpcUrl)
      return { error: { code: 4901, message: 'Chain disconnected.' } };
    return this.#forward(call);
  }

  #switch([network]: readonly unknown[]): Answer {
    const chainId = Number((network as { chainId: string }).chainId);
    if (!this.networks.has(chainId)) return { error: { code: 4902, message: 'Unrecognized chain ID.' } };
    this.chainId = chainId;
    return { result: null };
  }

  async #forward(call: RpcCall): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });
    const headers = { 'content-type': 'application/json' };
    const rpcUrl = this.chainId === 31_337 ? this.#rpcUrl : (this.otherRpcUrl ?? this.#rpcUrl);
    const response = await fetch(rpcUrl, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as Answer;
    return error ? { error } : { result };
  }
}
