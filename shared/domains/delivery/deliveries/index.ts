/** The public API of this domain; everything else is internal. */
export { deliveryCleanUps, type EndedDelivery, endRuns } from './end-runs.ts';
export { type DeliveryKind, deliveryPartition, deliveryPartitions, type RegisteredDelivery } from './kind.ts';
export {
  type DeliveryPerson,
  type DeliveryRecipient,
  isPerson,
  isStillMember,
  type Memberships,
  mayReceive,
  PEOPLE_REASONS,
  type People,
  peopleOf,
  receiversOf,
  showRecipient,
  stopReason,
} from './people.ts';
export {
  type DeliveryMessage,
  type ReportMessage,
  type ReportQueue,
  reportQueue,
  type TargetMessage,
  type TargetQueue,
  targetQueue,
} from './queue.ts';
export {
  type Delivery,
  type DeliveryPlace,
  MAIL_FAILURES,
  MAIL_STATUSES,
  type MailPlace,
  RUN_STATUSES,
  type RunPlace,
  type StoredMail,
  type StoredRun,
} from './records.ts';
export { runByHand } from './run-by-hand.ts';
export {
  continueRun,
  type Deliverable,
  type DeliveryDeps,
  type DeliveryRun,
  type Named,
  runDueDelivery,
} from './run-delivery.ts';
export { runStateOf } from './run-state.ts';
export { type DeliveryRuns, deliveryArea, deliveryRuns, scheduledRunId } from './runs.ts';
export {
  type DeliveryTimes,
  deliveryTimeIssues,
  isPlanned,
  nextDeliveryAt,
  previousDeliveryAt,
} from './times.ts';
export {
  stillUnsubscribed,
  Unsubscribe,
  type UnsubscribeDeps,
  UnsubscribeQuery,
  unsubscribedIssues,
} from './unsubscribe.ts';
export { linkPages, unsubscribePages } from './unsubscribe-page.ts';
export { type Subscription, type UnsubscribeTokens, unsubscribeTokens } from './unsubscribe-token.ts';
