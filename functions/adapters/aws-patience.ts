/**
 * How long one attempt of a request to AWS may take; without this the SDK waits for as long as the function lives. The
 * SDK's attempts, four to DynamoDB and three to others, fit into a route's 29 seconds.
 */
export const awsPatience = {
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
};
