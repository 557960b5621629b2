import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { DeleteDialog } from '../../shell/delete-record.tsx';
import type { SavedAs } from './tabs.ts';

interface DeleteSavedProps {
  saved: SavedAs;
  deleted(): void;
  close(): void;
}

/** What uses the query prevents it, and is listed. */
export function DeleteSaved({ saved: { id, name, revision }, deleted, close }: DeleteSavedProps) {
  return (
    <DeleteDialog
      what={`“${name}”`}
      remove={async () => {
        await api.savedQueries.delete(id, { ifMatch: revision });
        forget({ type: 'saved_query', id });
        await refreshQueries(['saved-queries']);
        deleted();
      }}
      close={close}
    >
      The saved query and its versions are deleted. The text stays in your tab.
    </DeleteDialog>
  );
}
