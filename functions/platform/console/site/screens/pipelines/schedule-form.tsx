import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import type { Pipeline } from '../../data/pipelines.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { Changed } from '../../ui/changed.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { fieldsOf, scheduleInWords, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';
import { toast } from '../../ui/toast.tsx';

export function ScheduleForm({ pipeline }: { pipeline: Pipeline }) {
  const { id, schedule } = pipeline;
  const fields = useSignal(fieldsOf(schedule, homeZone()));
  const isEnabled = useSignal(schedule?.enabled !== false);
  const wanted = () => {
    const next = scheduleOf(fields.value);
    return Object.keys(next).length === 0 ? next : { ...next, enabled: isEnabled.value };
  };
  const edit = useEdit(
    pipeline,
    () => api.pipelines.get(id),
    async (ifMatch) => {
      const saved = await api.pipelines.setSchedule(id, wanted(), { ifMatch });
      await refreshQueries(['pipelines']);
      toast('The schedule is saved.');
      return saved;
    },
  );
  const { theirs, problem } = edit;
  return (
    <Form
      action="Save the schedule"
      submit={() => edit.run()}
      isBusy={edit.isRunning}
      problem={problem}
      instead={
        theirs && (
          <Changed
            keepMine={() => void edit.keepMine()}
            takeTheirs={() => {
              fields.value = fieldsOf(theirs.schedule, homeZone());
              isEnabled.value = theirs.schedule?.enabled !== false;
              edit.takeTheirs();
              void refreshQueries(['pipelines']);
            }}
          >
            The schedule of “{theirs.name}” is now: {scheduleInWords(theirs.schedule)}. Yours:{' '}
            {scheduleInWords(wanted())}.
          </Changed>
        )
      }
    >
      <ScheduleFields value={fields} />
      {fields.value.kind !== 'off' && (
        <CheckField
          label="Switched on"
          checked={isEnabled.value}
          onChange={({ currentTarget }) => {
            isEnabled.value = currentTarget.checked;
          }}
        />
      )}
    </Form>
  );
}
