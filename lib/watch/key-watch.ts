import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

interface KeyWatchProps {
  readonly key: IKey;
  readonly topic: ITopic;
}

/**
 * Rule that notifies of calls which end a key or change who signs with it. Deletion waits at least seven days, in which
 * it can be cancelled. CloudTrail tells EventBridge of such calls only where a trail records management events.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 */
export class KeyWatch extends Rule {
  constructor(scope: Construct, id: string, { key, topic }: KeyWatchProps) {
    super(scope, id, {
      description: 'The signing key of Imprimatur is to be deleted, was disabled, or has another policy',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['kms.amazonaws.com'],
          eventName: ['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy'],
          // Requests may name the key by its id, its ARN or an alias; what CloudTrail adds is the ARN.
          resources: { ARN: [key.keyArn] },
        },
      },
      // With a role: a policy of the topic for EventBridge would replace the default one, by which alarms reach it.
      targets: [new SnsTopic(topic, { authorizeUsingRole: true })],
    });
  }
}
