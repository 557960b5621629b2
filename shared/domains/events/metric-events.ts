import Type from 'typebox';
import { Id, Name, Nullable, StringEnum, Timestamp } from '../../platform/http/schemas.ts';
import { defineEvent, Link } from './define-event.ts';

const GRAINS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** How a metric does against its target at this point of the period; `no_target` where there is none. */
export const PACE_STATUSES = ['ahead', 'on_track', 'behind', 'no_target'] as const;

export const METRIC_EVENTS = {
  'alert.fired': defineEvent('a metric alert crosses its threshold', {
    alertId: Id,
    alertName: Name,
    state: StringEnum(['triggered', 'ok'], { description: '`ok` when it crosses back, for alerts that tell of that.' }),
    metricId: Nullable(Id),
    metricName: Nullable(Name),
    operator: Type.String({ maxLength: 50 }),
    threshold: Type.Array(Type.Number(), { maxItems: 2, description: 'One number, or the two ends of a range.' }),
    value: Nullable(Type.Number({ description: 'Null where rows are restricted: not every receiver may know it.' })),
    scheduledFor: Timestamp,
    firedAt: Timestamp,
    url: Link,
  }),

  'digest.sent': defineEvent('a metric digest runs', {
    digestId: Id,
    digestName: Name,
    periodStart: Timestamp,
    periodEnd: Timestamp,
    metrics: Type.Array(
      Type.Object({
        metricId: Id,
        metricName: Name,
        value: Nullable(Type.Number()),
        displayValue: Type.String({ maxLength: 100, description: 'The value in the format of the metric.' }),
        change: Nullable(Type.Number({ description: 'Against the period before, as a ratio: 0.05 is 5 % more.' })),
        target: Nullable(Type.Number()),
        paceStatus: StringEnum(PACE_STATUSES),
      }),
      { maxItems: 100 },
    ),
    sentAt: Timestamp,
    url: Link,
  }),

  'metric.anomaly_detected': defineEvent("a certified metric's scheduled anomaly sweep finds an unusual movement", {
    metricId: Id,
    metricName: Name,
    grain: StringEnum(GRAINS),
    periodStart: Timestamp,
    value: Type.Number(),
    expectedLow: Type.Number(),
    expectedHigh: Type.Number(),
    direction: StringEnum(['above', 'below']),
    score: Type.Number({ description: 'Distance from the usual, in robust standard deviations.' }),
    detectedAt: Timestamp,
    url: Link,
  }),
} as const;
