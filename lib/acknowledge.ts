import { type CfnResource, Stack, Token, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Reasons to accept findings of cdk-nag, by the findings' ids without the prefix `AwsSolutions-`. */
export type Acknowledgments = Readonly<Record<string, string>>;

/**
 * Acknowledges findings on a construct and its children. An unacknowledged finding ends synthesis. Skips findings with
 * an ARN that is unknown because the stack has no account and Region.
 */
export function acknowledge(construct: IConstruct, acknowledgments: Acknowledgments): void {
  for (const [rule, reason] of Object.entries(acknowledgments))
    if (!Token.isUnresolved(rule))
      Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}

/** Finding about a wildcard in a statement's resource. */
export const wildcard = (resource: string): string => `IAM5[Resource::${resource}]`;

/** The ARN of a resource of the stack, as findings write it. */
export function arnInFindings({ node }: IConstruct): string {
  const resource = node.defaultChild as CfnResource;
  return `<${Stack.of(resource).getLogicalId(resource)}.Arn>`;
}
