import type { Executions } from '../../../functions/domain/services.ts';

export interface TokenAnswer {
  readonly token: string;
  readonly output?: { revealAt?: string };
  readonly error?: string;
}

/** `Executions` that records starts and answers. The test decides which names are used up. */
export class FakeExecutions implements Executions {
  /** Names in the order of the starts; a running name is not started again. */
  readonly started: string[] = [];
  readonly closed = new Set<string>();
  readonly answers: TokenAnswer[] = [];
  /** The error of every start, when set. */
  startFailure: Error | undefined;
  /** The error of every answer, when set. */
  answerFailure: Error | undefined;

  async startAttest({ id, run }: { id: string; run: number }): Promise<'running' | 'closed'> {
    return this.#start(`${id}-${run}`);
  }

  async startLane({ lane, run }: { lane: string; run: number }): Promise<'running' | 'closed'> {
    return this.#start(`${lane}-${run}`);
  }

  async succeed(token: string, output: { revealAt?: string }): Promise<void> {
    if (this.answerFailure) throw this.answerFailure;
    this.answers.push({ token, output });
  }

  async fail(token: string, error: string): Promise<void> {
    if (this.answerFailure) throw this.answerFailure;
    this.answers.push({ token, error });
  }

  answersTo(token: string): TokenAnswer[] {
    return this.answers.filter((answer) => answer.token === token);
  }

  #start(name: string): 'running' | 'closed' {
    if (this.startFailure) throw this.startFailure;
    if (this.closed.has(name)) return 'closed';
    if (!this.started.includes(name)) this.started.push(name);
    return 'running';
  }
}
