import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/**
 * Notifies of calls which end a key of the account or change who signs with it: keys of `admin signer rotate` are not known here, so
 * it is of all. Deletion can be cancelled for seven days. CloudTrail tells EventBridge only where a trail records management events.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 */
export class KeyWatch extends Rule {
  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id, {
      description: 'A key of the account is to be deleted, was disabled or replicated, or has another policy',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['kms.amazonaws.com'],
          // A replica has a policy of its own.
          eventName: ['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy', 'ReplicateKey'],
        },
      },
      // With a role: a policy of the topic for EventBridge would replace the default one, by which alarms reach it.
      targets: [new SnsTopic(topic, { authorizeUsingRole: true })],
    });
  }
}
