import {
  type CfnRestApi,
  type DomainNameOptions,
  EndpointAccessMode,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { Hosting } from '../environment/environment.ts';

/** TLS 1.3, or 1.2 with forward secrecy. Without a policy, a Regional API takes TLS 1.0 too. */
const tls = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  // The host that a request names is the one that the handshake named.
  endpointAccessMode: EndpointAccessMode.STRICT,
};

/** Has the API take no connection below TLS 1.2: its policy holds for its own domain as for API Gateway's. */
export function requireTls({ node }: RestApi): void {
  const api = node.defaultChild as CfnRestApi;
  api.addPropertyOverride('SecurityPolicy', tls.securityPolicy);
  api.addPropertyOverride('EndpointAccessMode', tls.endpointAccessMode);
}

/** Makes the options of the API's own domain, which is then its only one: nothing goes round it. */
export function domainOptions(scope: Construct, domain: Hosting['api']) {
  if (!domain) return {};
  const { domainName, certificateArn } = domain;
  const options: DomainNameOptions = {
    domainName,
    certificate: Certificate.fromCertificateArn(scope, 'ApiCertificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    ...tls,
  };
  return { domainName: options, disableExecuteApiEndpoint: true };
}
