import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Alert, Condition } from '../../data/alerts.ts';
import type { Types } from '../../data/client.ts';
import { formSchemas } from '../../data/form-schemas.ts';
import { hasRole, useMe } from '../../data/me.ts';
import type { Problem } from '../../data/problem.ts';
import { type TargetDraft, Targets, targetDraftsOf, targetsOf } from '../../shell/deliveries/targets.tsx';
import { CheckField, Field, SelectField } from '../../ui/field.tsx';
import { withoutEmpty } from '../../ui/json-schema.ts';
import { Section } from '../../ui/page.tsx';
import { fieldsOf, type ScheduleFields as Schedule, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { Issue } from '../../ui/states.tsx';
import { ConditionForm, EMPTY_CONDITION } from './condition-form.tsx';
import { Past } from './past.tsx';
import { People } from './people.tsx';
import { addressesOf, channelsOf, type Recipient, recipientsOf } from './recipients.ts';
import { NEVER, Repeat } from './repeat.tsx';
import { EMPTY_RIGHTS, Rights, type RightsDraft, rightsIn, rightsOf } from './rights.tsx';

export interface Draft extends RightsDraft {
  name: string;
  condition: Condition;
  onRefresh: boolean;
  severity: string;
  recipients: Recipient[];
  addresses: string;
  event: boolean;
  targets: readonly TargetDraft[];
  /** `never` or a duration. */
  repeat: string;
  /** What the form asks for by the schema alone. */
  others: Record<string, unknown>;
}

/** Members with fields of their own, or with a button. */
const OWN = [
  ...['name', 'condition', 'scheduleCron', 'timezone', 'onRefresh', 'severity', 'channels'],
  ...['ownerId', 'runAs', 'shareRows', 'repeat', 'isActive'],
];
const OTHERS = ['description', 'holdOnQuality', 'notifyOnRecover'] as const;

export const EMPTY_DRAFT: Draft = {
  name: '',
  condition: EMPTY_CONDITION,
  onRefresh: true,
  severity: 'warning',
  recipients: [],
  addresses: '',
  event: true,
  targets: [],
  repeat: NEVER,
  others: {},
  ...EMPTY_RIGHTS,
};

export const draftOf = (alert: Alert): Draft => ({
  name: alert.name,
  condition: alert.condition,
  onRefresh: alert.onRefresh,
  severity: alert.severity,
  recipients: recipientsOf(alert.channels),
  addresses: alert.channels.email?.addresses?.join('\n') ?? '',
  event: alert.channels.event ?? true,
  targets: targetDraftsOf(alert.channels.targets),
  repeat: alert.repeat === NEVER ? NEVER : alert.repeat.every,
  others: Object.fromEntries(OTHERS.map((name) => [name, alert[name]])),
  ...rightsOf(alert),
});

export const scheduleFieldsOf = (alert: Alert | undefined): Schedule =>
  fieldsOf(alert?.scheduleCron ? { cron: alert.scheduleCron, timezone: alert.timezone } : null, homeZone());

/** The members of the request. A draft that nothing would evaluate is evaluated after new data. */
export function bodyOf(draft: Draft, schedule: Schedule, base: Alert | undefined): Types.CreateAlert {
  const { cron, timezone } = scheduleOf(schedule);
  const { name, condition, onRefresh, severity, recipients, addresses, event, targets, repeat, others } = draft;
  return {
    ...(withoutEmpty(others) as object),
    ...rightsIn(draft, base),
    name: name.trim(),
    condition: withoutEmpty(condition) as Condition,
    onRefresh,
    severity,
    ...(cron === undefined ? {} : { scheduleCron: cron, timezone }),
    repeat: repeat === NEVER ? NEVER : { every: repeat },
    channels: {
      ...channelsOf(base?.channels, { recipients, addresses: addressesOf(addresses), event }),
      // Those of other people's alerts may be unknown to the form: they stay.
      ...((targets.length > 0 || base?.channels.targets !== undefined) && { targets: targetsOf(targets) }),
    },
  } as Types.CreateAlert;
}

interface AlertFieldsProps {
  draft: Signal<Draft>;
  /** The alert as it is stored; undefined for a new one. */
  base?: Alert;
  schedule: Signal<Schedule>;
  problem: Problem | undefined;
  /** The buttons. */
  children: ComponentChildren;
  /** In the place of the buttons and the problem. */
  conflict?: ComponentChildren;
  canNotifyOthers: boolean;
  submit: () => Promise<unknown>;
}

const TARGETS = '/channels/targets';

/** The places of the issues that fields show: people without some of the fields read them below the form. */
const shownPlaces = (
  { runAs }: Draft,
  { isAdmin, canNotifyOthers }: { isAdmin: boolean; canNotifyOthers: boolean },
) => ({
  fields: [
    ...['/name', '/scheduleCron', '/repeat', '/repeat/every'],
    ...(canNotifyOthers ? ['/ownerId'] : []),
    ...(canNotifyOthers && isAdmin ? ['/runAs'] : []),
    ...(canNotifyOthers && isAdmin && runAs === 'owner' ? ['/shareRows'] : []),
  ],
  parts: ['/condition/', ...(canNotifyOthers ? ['/channels/'] : [])],
});

/** What an alert watches, when, and whom it notifies. */
export function AlertFields({
  draft,
  base,
  schedule,
  problem,
  children,
  conflict,
  canNotifyOthers,
  submit,
}: AlertFieldsProps) {
  const given = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const isAdmin = hasRole(useMe().data, 'admin');
  const shown = shownPlaces(given, { isAdmin, canNotifyOthers });
  const issues = problem?.issues ?? [];
  const issueAt = (pointer: string) => issues.find((each) => each.pointer === pointer)?.message;
  return (
    <form
      class="alert-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Section title="Condition">
        <div class="form">
          <ConditionForm value={given.condition} onChange={(condition) => set({ condition })} issues={issues} />
          <Past condition={given.condition} timezone={schedule.value.timezone} />
        </div>
      </Section>
      <Section title="Alert">
        <div class="form">
          <Field
            label="Name"
            required
            maxLength={200}
            issue={issueAt('/name')}
            value={given.name}
            onInput={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <SelectField
            label="Severity"
            value={given.severity}
            onChange={({ currentTarget }) => set({ severity: currentTarget.value })}
          >
            <option value="info">info</option>
            <option value="warning">warning</option>
            <option value="critical">critical</option>
          </SelectField>
          <CheckField
            label="Evaluate after new data"
            checked={given.onRefresh}
            onChange={({ currentTarget }) => set({ onRefresh: currentTarget.checked })}
          />
          <ScheduleFields value={schedule} issue={issueAt('/scheduleCron')} />
          <Repeat
            value={given.repeat}
            onChange={(repeat) => set({ repeat })}
            issue={issueAt('/repeat') ?? issueAt('/repeat/every')}
          />
          {formSchemas.CreateAlert && (
            <SchemaForm
              schema={formSchemas.CreateAlert}
              omit={OWN}
              isChange
              issues={issues}
              value={given.others}
              onChange={(others) => set({ others })}
            />
          )}
        </div>
      </Section>
      {canNotifyOthers && (
        <Section title="Recipients">
          <div class="form">
            <People
              value={given.recipients}
              onChange={(recipients) => set({ recipients })}
              addresses={given.addresses}
              setAddresses={(addresses) => set({ addresses })}
              event={given.event}
              setEvent={(event) => set({ event })}
              issue={
                issues.find(({ pointer }) => pointer.startsWith('/channels') && !pointer.startsWith(TARGETS))?.message
              }
            />
            <Targets value={given.targets} onChange={(targets) => set({ targets })} issues={issues} at={TARGETS} />
          </div>
        </Section>
      )}
      {canNotifyOthers && (
        <Section title="Owner and rows">
          <div class="form">
            <Rights value={given} change={set} base={base} issueAt={issueAt} />
          </div>
        </Section>
      )}
      {conflict ?? (
        <>
          <div class="actions">{children}</div>
          <Issue
            problem={
              problem && {
                ...problem,
                issues: issues.filter(
                  ({ pointer }) =>
                    !shown.fields.includes(pointer) && !shown.parts.some((part) => pointer.startsWith(part)),
                ),
              }
            }
          />
        </>
      )}
    </form>
  );
}
