import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { addressesOf, type Deliveries, type Delivery, type DeliveryBody } from '../../data/deliveries.ts';
import { useMe } from '../../data/me.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField, TextField } from '../../ui/field.tsx';
import { fieldsOf, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';
import { Issue } from '../../ui/states.tsx';
import { type TargetDraft, Targets, targetDraftsOf, targetsOf } from './targets.tsx';

interface DeliveryFormProps {
  deliveries: Deliveries;
  delivery: Delivery | undefined;
  pages: readonly { id: string; name: string }[];
  close: () => void;
}

const FORMATS = { '': 'no file', pdf: 'PDF', xlsx: 'Excel', pptx: 'PowerPoint', docx: 'Word', csv: 'CSV' } as const;
const CONDITIONS = {
  always: 'always',
  hasRows: 'only if there are rows',
  changed: 'only if something has changed',
} as const;

/** Issues that the form shows at their fields. */
const SHOWN = /^\/(name$|recipients|targets)/;

/** A subscription: when, to whom and what. Another person's change since is not overwritten. */
export function DeliveryForm({ deliveries, delivery, pages, close }: DeliveryFormProps) {
  const me = useMe().data;
  const schedule = delivery
    ? { cron: delivery.cron, timezone: delivery.timezone }
    : { cron: '0 8 * * 1', timezone: homeZone() };
  const when = useSignal(fieldsOf(schedule, homeZone()));
  const name = useSignal(delivery?.name ?? '');
  const people = useSignal(delivery ? delivery.recipients.join('\n') : (me?.user.email ?? ''));
  const format = useSignal<string>(delivery?.format ?? (delivery ? '' : 'pdf'));
  const condition = useSignal(delivery?.condition ?? 'always');
  const pageId = useSignal((delivery && 'pageId' in delivery && delivery.pageId) || '');
  const targets = useSignal<readonly TargetDraft[]>(targetDraftsOf(delivery?.targets));
  const save = useAction(async () => {
    const { cron, timezone } = scheduleOf(when.peek());
    const body: DeliveryBody = {
      name: name.peek().trim(),
      cron: cron ?? '',
      timezone: timezone ?? 'UTC',
      recipients: addressesOf(people.peek()),
      targets: targetsOf(targets.peek()),
      format: (format.peek() || null) as DeliveryBody['format'],
      condition: condition.peek() as DeliveryBody['condition'],
      isActive: delivery?.isActive ?? true,
      ...(pages.length > 1 && { pageId: pageId.peek() || null }),
    };
    await (delivery ? deliveries.update(delivery.id, body, delivery.revision) : deliveries.create(body));
    await refreshQueries(deliveries.key);
    close();
  });
  const { problem } = save;
  const peopleIssue = problem?.issues.find(({ pointer }) => pointer.startsWith('/recipients'))?.message;
  return (
    <form
      class="form delivery-form"
      aria-label={delivery ? `Edit ${delivery.name}` : 'New subscription'}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <Field
        label="Name"
        required
        maxLength={200}
        hint="The subject of the email."
        issue={issueOf(problem, 'name')}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      <ScheduleFields value={when} isRequired />
      <TextField
        label="Recipients"
        rows={3}
        hint="Email addresses. Members get the rows that they may see; other addresses need an allowed domain."
        issue={peopleIssue}
        value={people.value}
        onInput={({ currentTarget }) => {
          people.value = currentTarget.value;
        }}
      />
      <Targets
        value={targets.value}
        onChange={(next) => {
          targets.value = next;
        }}
        issues={problem?.issues}
        at="/targets"
      />
      <SelectField
        label="File"
        value={format.value}
        onChange={({ currentTarget }) => {
          format.value = currentTarget.value;
        }}
      >
        {Object.entries(FORMATS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Send it"
        value={condition.value}
        onChange={({ currentTarget }) => {
          condition.value = currentTarget.value;
        }}
      >
        {Object.entries(CONDITIONS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {pages.length > 1 && (
        <SelectField
          label="Page"
          value={pageId.value}
          onChange={({ currentTarget }) => {
            pageId.value = currentTarget.value;
          }}
        >
          <option value="">all pages</option>
          {pages.map((page) => (
            <option key={page.id} value={page.id}>
              {page.name}
            </option>
          ))}
        </SelectField>
      )}
      {problem?.kind === 'changed' ? (
        <p class="issue" role="alert">
          Another person has changed this subscription in the meantime, and nothing was saved. Close the form and open
          it again.
        </p>
      ) : (
        <Issue
          problem={problem && { ...problem, issues: problem.issues.filter(({ pointer }) => !SHOWN.test(pointer)) }}
        />
      )}
      <div class="actions">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" look="main" isBusy={save.isRunning}>
          Save
        </Button>
      </div>
    </form>
  );
}
