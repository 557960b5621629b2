import { EVENT_NAMES, envelopeSchema } from '../../shared/domains/events/events/catalogue.ts';
import { issuesOf } from './conformance.ts';

const schemas = new Map<string, object>(EVENT_NAMES.map((name) => [name, envelopeSchema(name)]));

/** What is wrong with an event that a generic webhook got, in words; empty when the catalogue promises it so. */
export function eventIssues(body: string): string {
  const envelope = JSON.parse(body) as { event?: string };
  if (envelope.event === undefined) return '';
  const schema = schemas.get(envelope.event);
  return schema ? issuesOf(schema, envelope) : `${envelope.event} is in no catalogue`;
}
