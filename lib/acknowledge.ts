import { type CfnResource, Stack, Token, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Findings of cdk-nag's rules AwsSolutions, by the rest of their ids, each with the reason why it stays. */
export type Acknowledgments = Readonly<Record<string, string>>;

/**
 * Answers findings on a construct and all below it: an unanswered one ends synthesis. Without an account and a Region, which an
 * environment gives, an ARN is not known, nor a finding that names it.
 */
export function acknowledge(construct: IConstruct, acknowledgments: Acknowledgments): void {
  for (const [rule, reason] of Object.entries(acknowledgments))
    if (!Token.isUnresolved(rule))
      Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}

/** Finding that a statement has a wildcard in its resource. */
export const wildcard = (resource: string): string => `IAM5[Resource::${resource}]`;

/** The ARN of a resource of the stack, as findings write it. */
export function arnInFindings({ node }: IConstruct): string {
  const resource = node.defaultChild as CfnResource;
  return `<${Stack.of(resource).getLogicalId(resource)}.Arn>`;
}
