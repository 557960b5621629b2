import type { Static, TProperties, TSchema } from 'typebox';
import * as Type from 'typebox';
import { ALERT_HEALTHS, ALERT_STATES, AlertCondition } from '../../../shared/domains/alerts/conditions/index.ts';
import { alertChannels, alertProperties, STOP_REASONS } from '../../../shared/domains/alerts/rules/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  Id,
  idParams,
  ListQuery,
  NameFilter,
  Nullable,
  Page,
  Revision,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

import { ChangedTargets, NewTargets, Targets } from '../../delivery/schedules/target-schemas.ts';

export const AlertParams = idParams('alert');

export const AlertError = Type.Object(
  { code: Type.String(), message: Type.String() },
  { $id: 'AlertError', description: 'Why the condition could not be evaluated.' },
);

const instance = {
  state: StringEnum(ALERT_STATES, {
    description:
      '`pending` while the condition is met but not yet for long enough to fire, `recovering` while it is no longer met but not for long enough to recover.',
  }),
  health: StringEnum(ALERT_HEALTHS, {
    description: 'Whether the condition could be evaluated.',
  }),
  healthSince: Timestamp,
  error: Nullable(AlertError),
  lastValue: Nullable(Type.Number()),
  firedAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When it fired; null once it has recovered.' })),
};

export const AlertGroupState = Type.Object(
  { group: Type.String(), ...instance },
  { $id: 'AlertGroupState', description: 'The state of one group, for the rows that the caller may see.' },
);

const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: import('typebox').TOptional<P[K]>;
  };

const channelsWith = <S extends TSchema>(targets: S, $id: string) =>
  StrictObject(
    { ...alertChannels, targets: Type.Optional(targets) },
    {
      $id,
      description:
        'Who is notified: by default, the owner. Each person is notified of the rows that they may see. `targets` get what everyone may see.',
    },
  );

const nullable = <S extends TSchema>(schema: S) => Nullable(schema);
const { scheduleCron, ...given } = alertProperties;

export const Alert = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    condition: AlertCondition,
    ...given,
    channels: channelsWith(Targets, 'AlertChannels'),
    scheduleCron: nullable(scheduleCron),
    snoozedUntil: Nullable(Timestamp),
    status: StringEnum(['active', 'paused', 'stopped'], {
      description: '`paused` while `isActive` is false; `stopped` for the reason in `stopReason`.',
    }),
    stopReason: Nullable(
      StringEnum(STOP_REASONS, {
        description: 'The owner has left or is deactivated. Set another `ownerId` to continue.',
      }),
    ),
    nextAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'The next instant of the schedule.' })),
    isRecipient: Type.Boolean({ description: 'Whether the caller is notified.' }),
    mayEdit: Type.Boolean({ description: 'Whether the caller may change it.' }),
    ...optional(instance),
    evaluatedAt: Nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'The time of the newest evaluation for the rows that the caller may see.',
      }),
    ),
    groups: Type.Optional(Type.Array(AlertGroupState, { description: 'For conditions with `by`.' })),
    isHidden: Type.Optional(
      Type.Boolean({
        description:
          'Whether the value and the groups are hidden, because the caller may see other rows since the evaluation.',
      }),
    ),
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
    ...shownDefinition,
  },
  {
    $id: 'Alert',
    description:
      'A condition that is evaluated on a schedule and after new data. State and value are for the rows that the caller may see; they are absent until these rows are evaluated.',
  },
);
export type Alert = Static<typeof Alert>;

export const AlertPage = Page(Alert);

export const AlertListQuery = Type.Object({
  ...ListQuery.properties,
  name: NameFilter,
  dashboardId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only alerts on cards of the dashboard.' })),
});
export type AlertListQuery = Static<typeof AlertListQuery>;

const changes = {
  ...alertProperties,
  scheduleCron: nullable(scheduleCron),
  condition: AlertCondition,
};
const { name, condition, ...others } = changes;

export const CreateAlert = Type.Object(
  { name, condition, ...optional(others), channels: Type.Optional(channelsWith(NewTargets, 'NewAlertChannels')) },
  { $id: 'CreateAlert', description: 'A condition, the times to evaluate it, and the people to notify.' },
);
export type CreateAlert = Static<typeof CreateAlert>;

export const UpdateAlert = Type.Object(
  { ...optional(changes), channels: Type.Optional(channelsWith(ChangedTargets, 'ChangedAlertChannels')) },
  {
    $id: 'UpdateAlert',
    description: 'Fields to change; omitted fields keep their values.',
  },
);
export type UpdateAlert = Static<typeof UpdateAlert>;
