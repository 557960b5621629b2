/** The public API of this domain; everything else is internal. */
export {
  EVENT_NAMES,
  EVENTS,
  type EventData,
  type EventEnvelope,
  type EventName,
  envelopeSchema,
} from './catalogue.ts';
export { emit, type OutboxEvent, type OutboxRecord, outboxItem } from './outbox.ts';
export type { ReportedErrorCode } from './reported-error.ts';
