import type { Static, TObject } from 'typebox';
import * as Type from 'typebox';
import { Timestamp } from '../../../platform/http/schemas.ts';
import { CONTENT_EVENTS } from './content-events.ts';
import { METRIC_EVENTS } from './metric-events.ts';
import { OPERATION_EVENTS } from './operation-events.ts';
import { QUALITY_EVENTS } from './quality-events.ts';

/** Every event that the platform may emit. `events/outbound/` has a sample of each. */
export const EVENTS = { ...METRIC_EVENTS, ...CONTENT_EVENTS, ...QUALITY_EVENTS, ...OPERATION_EVENTS } as const;

export type EventName = keyof typeof EVENTS;
export type EventData<N extends EventName> = Static<(typeof EVENTS)[N]['data']>;

/** An event as a generic webhook receives it. */
export type EventEnvelope = { [N in EventName]: { event: N; timestamp: string; data: EventData<N> } }[EventName];

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** The schema of an event's envelope; its `$id` is the name in one word: `PipelineRunFailedEvent`. */
export function envelopeSchema(name: EventName): TObject {
  const word = name.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return Type.Object(
    {
      event: Type.Literal(name),
      timestamp: Type.Unsafe<string>({
        ...Timestamp,
        description: 'When it happened, the same on every attempt.',
      }),
      data: EVENTS[name].data,
    },
    { $id: `${word}Event`, description: `Sent when ${EVENTS[name].when}.` },
  );
}
