import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';

/**
 * Adds a web ACL that refuses an address which sends more requests in five minutes: guesses and floods without a key take none of
 * the publishers' throttle. It counts addresses, not people.
 */
export function addAddressLimit(api: RestApi, requests: number): void {
  const metric = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName,
    // A sample has the request's headers, and so its API key.
    sampledRequestsEnabled: false,
  });
  const acl = new CfnWebACL(api, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: metric('Api'),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: { limit: requests, aggregateKeyType: 'IP', evaluationWindowSec: 300 },
        },
        visibilityConfig: metric('RequestsPerAddress'),
      },
    ],
  });
  new CfnWebACLAssociation(api, 'WebAclAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}
