import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { Changed } from '../../ui/changed.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldsOf, scheduleInWords, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';

/** When the dataset reads its source by itself. */
export function Schedule({ dataset, close }: { dataset: Dataset; close: () => void }) {
  const { id, schedule } = dataset;
  const fields = useSignal(fieldsOf(schedule, homeZone()));
  const edit = useEdit(
    dataset,
    () => api.datasets.get(id),
    async (ifMatch) => {
      const saved = await api.datasets.setSchedule(id, scheduleOf(fields.peek()), { ifMatch });
      await refreshQueries(['datasets']);
      return saved;
    },
  );
  const { theirs } = edit;
  return (
    <Dialog
      title="When to refresh"
      action={theirs ? undefined : 'Save'}
      isBusy={edit.isRunning}
      problem={theirs ? undefined : edit.problem}
      submit={() => edit.run()}
      close={close}
    >
      <ScheduleFields value={fields} />
      {theirs && (
        <Changed
          keepMine={() => void edit.keepMine().then((isSaved) => isSaved && close())}
          takeTheirs={() => {
            void refreshQueries(['datasets']);
            close();
          }}
        >
          The schedule of “{theirs.name}” is now: {scheduleInWords(theirs.schedule)}. Yours:{' '}
          {scheduleInWords(scheduleOf(fields.value))}.
        </Changed>
      )}
    </Dialog>
  );
}
