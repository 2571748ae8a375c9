import { SSMClient } from '@aws-sdk/client-ssm';
import { answerOf } from './aws-answers.ts';
import type { AwsClient } from './aws-faults.ts';

interface Stored {
  readonly value: string;
  readonly version: number;
  /** The KMS key of a SecureString. */
  readonly keyId?: string;
}

interface Input {
  readonly Name?: string;
  readonly Value?: string;
  readonly Type?: string;
  readonly KeyId?: string;
  readonly WithDecryption?: boolean;
}

/** A parameter store in memory, with an SSM client that accesses only it. */
export class FakeParameters {
  readonly stored = new Map<string, Stored>();
  /** Names of the parameters read, in the order of the requests; a name ends with `+` if decryption was requested. */
  readonly reads: string[] = [];
  /** If set, every request fails with an error of that name. */
  refusal: string | undefined;
  readonly client = new SSMClient({
    ...{ region: 'us-east-1', maxAttempts: 1 },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

  constructor() {
    const { config }: AwsClient = this.client as AwsClient;
    config.requestHandler.handle = async ({ headers, body }) => {
      const command = headers['x-amz-target']?.split('.')[1] ?? '';
      const answer = this.#answer(command, JSON.parse(new TextDecoder().decode(body)));
      return { response: answerOf('__type' in answer ? 400 : 200, answer) };
    };
  }

  put(name: string, value: string, keyId?: string): void {
    const version = (this.stored.get(name)?.version ?? 0) + 1;
    this.stored.set(name, { value, version, ...(keyId !== undefined && { keyId }) });
  }

  #answer(command: string, { Name: name = '', ...input }: Input): object {
    if (this.refusal !== undefined) return { __type: this.refusal, message: 'injected' };
    const parameter = this.stored.get(name);
    if (command === 'PutParameter') {
      this.put(
        name,
        input.Value ?? '',
        input.Type === 'SecureString' ? (input.KeyId ?? 'default') : undefined,
      );
      return { Version: this.stored.get(name)?.version };
    }
    if (command === 'DescribeParameters')
      return { Parameters: [...this.stored].map(([Name, { keyId }]) => ({ Name, KeyId: keyId })) };
    this.reads.push(`${name}${input.WithDecryption ? '+' : ''}`);
    if (!parameter) return { __type: 'ParameterNotFound', message: name };
    const isHidden = parameter.keyId !== undefined && !input.WithDecryption;
    const value = isHidden ? `encrypted ${parameter.version} ${parameter.value.length}` : parameter.value;
    return { Parameter: { Name: name, Value: value, Version: parameter.version } };
  }
}
