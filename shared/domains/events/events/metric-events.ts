import * as Type from 'typebox';
import { Id, Name, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { GRAINS } from '../../../platform/schedule/periods.ts';
import { defineEvent, Link } from './define-event.ts';

/** How a metric compares to its target at this point of the period. */
export const PACE_STATUSES = ['ahead', 'on_track', 'behind', 'no_target'] as const;

export const METRIC_EVENTS = {
  'alert.fired': defineEvent('a metric alert crosses its threshold', {
    alertId: Id,
    alertName: Name,
    state: StringEnum(['triggered', 'ok'], {
      description: '`ok` when it crosses back, for alerts that report recovery.',
    }),
    metricId: Nullable(Id),
    metricName: Nullable(Name),
    operator: Type.String({ maxLength: 50 }),
    threshold: Type.Array(Type.Number(), { maxItems: 2, description: 'One number, or the two ends of a range.' }),
    value: Nullable(
      Type.Number({ description: 'Null where access to rows is restricted, because not every receiver may see it.' }),
    ),
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
        change: Nullable(
          Type.Number({ description: 'The change from the previous period, as a ratio: 0.05 is 5 % more.' }),
        ),
        target: Nullable(Type.Number()),
        displayTarget: Type.Optional(
          Type.String({ maxLength: 100, description: 'The target in the format of the metric; absent without one.' }),
        ),
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
    grain: StringEnum(['hour', ...GRAINS]),
    periodStart: Timestamp,
    displayPeriod: Type.Optional(
      Type.String({ maxLength: 60, description: 'The period in the time zone of the metric, such as `March 2026`.' }),
    ),
    value: Type.Number(),
    expectedLow: Type.Number(),
    expectedHigh: Type.Number(),
    displayValue: Type.Optional(Type.String({ maxLength: 100, description: 'The value in the format of the metric.' })),
    displayExpected: Type.Optional(
      Type.String({ maxLength: 210, description: 'The range of usual values in the format of the metric.' }),
    ),
    direction: StringEnum(['above', 'below']),
    score: Type.Number({ description: 'The distance from the usual value, in robust standard deviations.' }),
    detectedAt: Timestamp,
    url: Link,
  }),
} as const;
