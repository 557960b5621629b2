import { useSignal } from '@preact/signals';
import { api } from '../../data/client.ts';
import { issueOf, problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { Changed } from '../../ui/changed.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import type { SavedQuery } from './saved.ts';

interface DetailsProps {
  id: string;
  saved(query: SavedQuery): void;
  close(): void;
}

/** The folder and the description of a saved query. */
export function Details({ id, saved, close }: DetailsProps) {
  const { data, error, refresh } = useQuery(['saved-queries', id, 'details'], () => api.savedQueries.get(id));
  if (data) return <Form query={data} saved={saved} close={close} />;
  return (
    <Dialog title="Details" close={close}>
      {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />}
    </Dialog>
  );
}

const LABELS = { folder: 'Folder', description: 'Description' };

function Form({ query, saved, close }: Omit<DetailsProps, 'id'> & { query: SavedQuery }) {
  const folder = useSignal(query.folder);
  const description = useSignal(query.description);
  const edit = useEdit(
    query,
    () => api.savedQueries.get(query.id),
    async (ifMatch) => {
      const body = { folder: folder.peek().trim(), description: description.peek() };
      const next = await api.savedQueries.update(query.id, body, { ifMatch });
      saved(next);
      await refreshQueries(['saved-queries']);
      return next;
    },
  );
  const { problem, theirs } = edit;
  return (
    <Dialog
      title={`Details of ${query.name}`}
      close={close}
      action={theirs ? undefined : 'Save'}
      submit={() => edit.run()}
      isBusy={edit.isRunning}
      problem={theirs || issueOf(problem, 'folder') ? undefined : problem}
    >
      <Field
        label="Folder"
        hint="Such as finance/monthly; empty for the top level."
        maxLength={500}
        autocomplete="off"
        issue={issueOf(problem, 'folder')}
        value={folder.value}
        onInput={({ currentTarget }) => {
          folder.value = currentTarget.value;
        }}
      />
      <TextField
        label="Description"
        maxLength={2000}
        value={description.value}
        onInput={({ currentTarget }) => {
          description.value = currentTarget.value;
        }}
      />
      {theirs && (
        <Changed
          differences={differencesOf(theirs, { folder: folder.value, description: description.value }, LABELS)}
          keepMine={() => void edit.keepMine().then((isSaved) => isSaved && close())}
          takeTheirs={() => {
            saved(theirs);
            close();
          }}
        />
      )}
    </Dialog>
  );
}
