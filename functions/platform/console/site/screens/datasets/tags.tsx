import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { refreshQueries } from '../../data/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Loading } from '../../ui/states.tsx';
import { useAsset } from './head.tsx';

/** Words that group objects in the catalog. */
export function Tags({ dataset: { id }, close }: { dataset: Dataset; close: () => void }) {
  const asset = useAsset(id).data;
  const text = useSignal<string | undefined>(undefined);
  const shown = text.value ?? asset?.tags.join(', ') ?? '';
  const save = useAction(async () => {
    const tags = shown
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
    await api.catalog.setEntry('dataset', id, { tags });
    await refreshQueries(['datasets', id]);
  });
  return (
    <Dialog
      title="Tags"
      action="Save"
      isBusy={save.isRunning}
      problem={save.problem}
      submit={() => save.run()}
      close={close}
    >
      {asset ? (
        <Field
          label="Tags"
          hint="Separated by commas, such as finance, monthly."
          value={shown}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      ) : (
        <Loading rows={1} />
      )}
    </Dialog>
  );
}
