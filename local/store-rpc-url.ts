import { ParameterType, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { type AwsEndpoint, clientOptions } from './aws-endpoint.ts';

/** Puts the chain's RPC URL where operators put theirs; the path is the stack's `RpcUrlsPath`, known beforehand. */
export async function storeRpcUrl(
  endpoint: AwsEndpoint,
  stackName: string,
  chain: { chainId: number; rpcUrl: string },
): Promise<void> {
  const ssm = new SSMClient(clientOptions(endpoint));
  const Name = `/${stackName}/rpc-urls/${chain.chainId}`;
  const Value = chain.rpcUrl;
  await ssm.send(
    new PutParameterCommand({ Name, Value, Type: ParameterType.SECURE_STRING, Overwrite: true }),
  );
  ssm.destroy();
}
