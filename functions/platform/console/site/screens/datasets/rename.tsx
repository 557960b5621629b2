import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { Changed } from '../../ui/changed.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';

export function Rename({ dataset, close }: { dataset: Dataset; close: () => void }) {
  const { id } = dataset;
  const name = useSignal(dataset.name);
  const rename = useEdit(
    dataset,
    () => api.datasets.get(id),
    async (ifMatch) => {
      const saved = await api.datasets.update(id, { name: name.peek().trim() }, undefined, { ifMatch });
      await refreshQueries(['datasets']);
      return saved;
    },
  );
  const { problem, theirs } = rename;
  const takeTheirs = () => {
    void refreshQueries(['datasets']);
    close();
  };
  return (
    <Dialog
      title="Rename the dataset"
      action={theirs ? undefined : 'Rename'}
      isBusy={rename.isRunning}
      problem={theirs || issueOf(problem, 'name') ? undefined : problem}
      submit={() => rename.run()}
      close={close}
    >
      <Field
        label="Name"
        required
        maxLength={200}
        hint="SQL, models and charts that use it by its old name are listed under “Used by”."
        issue={issueOf(problem, 'name')}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      {theirs && (
        <Changed keepMine={() => void rename.keepMine().then((isSaved) => isSaved && close())} takeTheirs={takeTheirs}>
          It is now called “{theirs.name}”; your name for it is “{name.value}”.
        </Changed>
      )}
    </Dialog>
  );
}
