import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api, type Types } from '../../data/client.ts';
import { type Digest, useMetricNames } from '../../data/digests.ts';
import { useNames } from '../../data/members.ts';
import { issueOf, type Problem } from '../../data/problem.ts';
import { OwnerField } from '../../shell/member-choice.tsx';
import { Picker } from '../../shell/picker.tsx';
import { IconButton } from '../../ui/button.tsx';
import type { Option } from '../../ui/combobox.tsx';
import { CheckField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { fieldsOf, type ScheduleFields as Schedule, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';

export interface Draft {
  name: string;
  metricIds: readonly string[];
  recipientIds: readonly string[];
  ownerId: string;
  isActive: boolean;
}

export const draftOf = ({ name, metricIds, recipientIds, ownerId, isActive }: Digest): Draft => ({
  name,
  metricIds,
  recipientIds,
  ownerId,
  isActive,
});

export const scheduleFieldsOf = (digest: Digest | undefined): Schedule =>
  digest
    ? fieldsOf({ cron: digest.cron, timezone: digest.timezone }, homeZone())
    : { ...fieldsOf(null, homeZone()), kind: 'weekly', time: '08:00' };

/** Digests know no intervals: one that was typed is refused at its field. */
export function bodyOf(
  { name, metricIds, recipientIds, ownerId, isActive }: Draft,
  schedule: Schedule,
): Types.CreateDigest {
  const { cron = schedule.cron.trim() } = scheduleOf(schedule);
  return {
    name: name.trim(),
    metricIds: [...metricIds],
    recipientIds: [...recipientIds],
    cron,
    timezone: schedule.timezone,
    isActive,
    ...(ownerId !== '' && { ownerId }),
  };
}

const MAX_CHOICES = 20;

async function searchMetrics(search: string): Promise<Option[]> {
  const { items } = await api.metrics.list({ limit: MAX_CHOICES, ...(search && { search }) });
  return items.map(({ id, name }) => ({ id, label: name }));
}

async function searchMembers(search: string): Promise<Option[]> {
  const { items } = await api.workspaces.listMembers({ limit: MAX_CHOICES, ...(search && { search }) });
  return items.map(({ userId, name, email }) => ({ id: userId, label: name || email, hint: email }));
}

interface DigestFieldsProps {
  draft: Signal<Draft>;
  schedule: Signal<Schedule>;
  action: string;
  problem: Problem | undefined;
  isBusy: boolean;
  /** In the place of the buttons and the problem. */
  conflict?: ComponentChildren;
  submit: () => Promise<unknown>;
}

const SHOWN = /^\/(name$|metricIds|recipientIds|ownerId$|cron$)/;

/** Which metrics are sent, when and to whom. */
export function DigestFields({ draft, schedule, action, problem, isBusy, conflict, submit }: DigestFieldsProps) {
  const given = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const metrics = useMetricNames(given.metricIds);
  const names = useNames();
  const issues = problem?.issues ?? [];
  const others = issues.filter(({ pointer }) => !SHOWN.test(pointer));
  const issueIn = (member: string) =>
    issues.find(({ pointer }) => pointer === `/${member}` || pointer.startsWith(`/${member}/`))?.message;
  return (
    <Form
      action={action}
      submit={submit}
      isBusy={isBusy}
      problem={problem && (issues.length === 0 || others.length > 0) ? { ...problem, issues: others } : undefined}
      instead={conflict}
    >
      <Field
        label="Name"
        hint="The subject of the email."
        required
        maxLength={200}
        issue={issueOf(problem, 'name')}
        value={given.name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Chosen
        label="Metrics"
        add="Add a metric"
        of="digest metrics"
        ids={given.metricIds}
        nameOf={(id) => (metrics ? (metrics.get(id) ?? 'a metric that you cannot see') : '…')}
        issue={issueIn('metricIds')}
        search={searchMetrics}
        onChange={(metricIds) => set({ metricIds })}
      />
      <Chosen
        label="Recipients"
        hint="Each gets the numbers that they may see."
        add="Add a member"
        of="digest members"
        ids={given.recipientIds}
        nameOf={(id) => (names ? (names.get(id) ?? 'a former member') : '…')}
        issue={issueIn('recipientIds')}
        search={searchMembers}
        onChange={(recipientIds) => set({ recipientIds })}
      />
      <ScheduleFields value={schedule} isRequired issue={issueOf(problem, 'cron')} />
      <OwnerField issue={issueOf(problem, 'ownerId')} value={given.ownerId} choose={(ownerId) => set({ ownerId })} />
      <CheckField
        label="Active"
        hint="An inactive digest is sent only by hand."
        checked={given.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </Form>
  );
}

interface ChosenProps {
  label: string;
  hint?: string;
  add: string;
  /** What the choices are kept under. */
  of: string;
  ids: readonly string[];
  nameOf: (id: string) => string;
  issue: string | undefined;
  search: (text: string) => Promise<readonly Option[]>;
  onChange: (ids: readonly string[]) => void;
}

/** A list of objects by their names, in the order of the email. */
const Chosen = ({ label, hint, add, of, ids, nameOf, issue, search, onChange }: ChosenProps) => (
  <fieldset class="field-group">
    <legend>{label}</legend>
    {hint && <p class="hint">{hint}</p>}
    {issue !== undefined && <p class="issue">{issue}</p>}
    {ids.length > 0 && (
      <ul class="chosen-names">
        {ids.map((id) => (
          <li key={id}>
            <span>{nameOf(id)}</span>
            <IconButton
              icon="x"
              label={`Remove ${nameOf(id)}`}
              onClick={() => onChange(ids.filter((each) => each !== id))}
            />
          </li>
        ))}
      </ul>
    )}
    <Picker
      label={add}
      of={of}
      name=""
      isList
      search={search}
      choose={({ id }) => {
        if (!ids.includes(id)) onChange([...ids, id]);
      }}
    />
  </fieldset>
);
