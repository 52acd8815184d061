import { EventBus } from 'aws-cdk-lib/aws-events';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';

/** Every mail is sent through this set, so that SES says on the default bus what became of it. Opens and clicks are left out: they are not people (MS-16). */
export function mailReports(scope: Construct): ConfigurationSet {
  const set = new ConfigurationSet(scope, 'MailReports');
  set.addEventDestination('ToDefaultBus', {
    destination: EventDestination.eventBus(EventBus.fromEventBusName(scope, 'DefaultBus', 'default')),
    events: [
      EmailSendingEvent.SEND,
      EmailSendingEvent.DELIVERY,
      EmailSendingEvent.DELIVERY_DELAY,
      EmailSendingEvent.BOUNCE,
      EmailSendingEvent.COMPLAINT,
      EmailSendingEvent.REJECT,
      EmailSendingEvent.RENDERING_FAILURE,
    ],
  });
  return set;
}
