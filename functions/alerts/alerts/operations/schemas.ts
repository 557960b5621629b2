import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  ALERT_STATES,
  AlertCondition,
  EDGES,
  NO_VALUE_REASONS,
} from '../../../../shared/domains/alerts/conditions/index.ts';
import { alertProperties } from '../../../../shared/domains/alerts/rules/index.ts';
import { Nullable, StrictObject, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';
import { AlertError } from '../schemas.ts';

export const HistoryQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'The maximum number of evaluations to return.',
  }),
});

const AlertHistoryEntry = Type.Object(
  {
    group: Nullable(Type.String()),
    state: StringEnum(ALERT_STATES),
    edges: Type.Array(StringEnum(EDGES)),
    value: Nullable(Type.Number()),
    reason: Nullable(StringEnum(NO_VALUE_REASONS, { description: 'Why there was no value.' })),
    error: Nullable(AlertError),
  },
  { $id: 'AlertHistoryEntry', description: 'What an evaluation found for a group, or for the alert as a whole.' },
);

export const AlertHistory = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          at: Timestamp,
          entries: Type.Array(AlertHistoryEntry),
          isHidden: Type.Boolean({
            description: 'Whether values and groups are hidden, because the caller may see other rows now.',
          }),
        },
        {
          $id: 'AlertEvaluation',
          description: 'An evaluation that changed something, failed, or was on the way to it.',
        },
      ),
      {
        description:
          'Evaluations of the current condition in the last 90 days, newest first. Evaluations that changed nothing are left out.',
      },
    ),
  },
  { $id: 'AlertHistory', description: 'The history of an alert, for the rows that the caller may see.' },
);
export type AlertHistory = Static<typeof AlertHistory>;

export const StartedEvaluation = Type.Object(
  { at: Type.Unsafe<string>({ ...Timestamp, description: 'The instant that the evaluation counts as.' }) },
  { $id: 'StartedEvaluation', description: 'An evaluation that was started on request.' },
);
export type StartedEvaluation = Static<typeof StartedEvaluation>;

export const SnoozeAlert = StrictObject(
  {
    until: Nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        maxLength: 64,
        description: 'At most 90 days from now; null ends the snooze.',
      }),
    ),
    for: Type.Optional(
      StringEnum(['everyone', 'me'], {
        description:
          'Whom not to notify. Only editors and the owner can choose `everyone`, which is their default; the default of others is `me`.',
      }),
    ),
  },
  { $id: 'SnoozeAlert', description: 'How long not to notify the recipients, or only the caller.' },
);
export type SnoozeAlert = Static<typeof SnoozeAlert>;

export const AlertFollow = Type.Object(
  { isFollowing: Type.Boolean() },
  { $id: 'AlertFollow', description: 'Whether the caller is notified.' },
);
export type AlertFollow = Static<typeof AlertFollow>;

export const PreviewAlert = StrictObject(
  {
    condition: AlertCondition,
    timezone: Type.Optional(alertProperties.timezone),
    last: Type.Integer({
      minimum: 1,
      maximum: 90,
      default: 30,
      description: 'The number of complete periods of a metric, or of versions of a dataset, to check.',
    }),
  },
  { $id: 'PreviewAlert', description: 'A condition to check against the past.' },
);
export type PreviewAlert = Static<typeof PreviewAlert>;

export const AlertPreview = Type.Object(
  {
    points: Type.Array(
      Type.Object(
        {
          at: Timestamp,
          group: Nullable(Type.String()),
          value: Nullable(Type.Number()),
          state: StringEnum(ALERT_STATES),
          edges: Type.Array(StringEnum(EDGES)),
        },
        { $id: 'AlertPreviewPoint', description: 'What an evaluation at that time would have found.' },
      ),
      { description: 'Evaluations, oldest first.' },
    ),
    fires: Type.Integer({ description: 'How often it would have fired.' }),
    recovers: Type.Integer({ description: 'How often it would have recovered.' }),
    note: Nullable(
      StringEnum(['ONLY_NOW'], {
        description: '`ONLY_NOW`: earlier data of the source cannot be read, so only current data was checked.',
      }),
    ),
  },
  { $id: 'AlertPreview', description: 'What the alert would have done, for the rows that the caller may see.' },
);
export type AlertPreview = Static<typeof AlertPreview>;
