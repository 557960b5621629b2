import * as Type from 'typebox';
import { Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { defineEvent, Link } from './define-event.ts';

const issue = {
  issueId: Id,
  issueType: Type.String({ maxLength: 50, description: 'Such as `test_failed` or `volume_anomaly`.' }),
  title: Type.String({ description: 'The name of the test, or what is unusual.' }),
  severity: StringEnum(['critical', 'high', 'medium', 'low', 'info']),
  tableName: Type.String({ description: 'The dataset, or `schema.table` of a data source.' }),
  testId: Nullable(Id),
};

/** Events of data quality: only that something begins or ends, never each run, and no values of rows. */
export const QUALITY_EVENTS = {
  'quality.issue_opened': defineEvent('an issue of data quality is opened, or comes back', {
    ...issue,
    reopenedCount: Type.Integer({ minimum: 0 }),
    openedAt: Timestamp,
    url: Link,
  }),
  'quality.issue_resolved': defineEvent('an issue of data quality is fixed', {
    ...issue,
    resolvedBy: Nullable(Type.Unsafe<string>({ ...Id, description: 'Null if a run that passes has fixed it.' })),
    resolvedAt: Timestamp,
    url: Link,
  }),
} as const;
