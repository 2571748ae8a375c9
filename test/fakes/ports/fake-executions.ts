import type { Executions } from '../../../functions/domain/services.ts';

export interface TokenAnswer {
  readonly token: string;
  readonly output?: { revealAt?: string };
  readonly error?: string;
}

/** Keeps what was started and answered; which names are burnt is for the test to say. */
export class FakeExecutions implements Executions {
  /** Names, in the order in which they were started; a name found running is not started again. */
  readonly started: string[] = [];
  readonly closed = new Set<string>();
  readonly answers: TokenAnswer[] = [];
  /** Set, it is what every start fails with. */
  startFailure: Error | undefined;
  /** Set, it is what every answer fails with. */
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
