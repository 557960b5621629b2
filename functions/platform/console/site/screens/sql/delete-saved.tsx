import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import type { SavedAs } from './tabs.ts';

interface DeleteSavedProps {
  saved: SavedAs;
  deleted(): void;
  close(): void;
}

/** What uses the query prevents it, and is listed. */
export function DeleteSaved({ saved: { id, name, revision }, deleted, close }: DeleteSavedProps) {
  const remove = useAction(async () => {
    await api.savedQueries.delete(id, { ifMatch: revision });
    forget({ type: 'saved_query', id });
    await refreshQueries(['saved-queries']);
    deleted();
  });
  const { problem } = remove;
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete"
      submit={() => remove.run()}
      close={close}
      isBusy={remove.isRunning}
      problem={problem}
    >
      <p>The saved query and its versions are deleted. The text stays in your tab.</p>
      {problem && problem.referencedBy.length > 0 && (
        <ul class="used">
          {problem.referencedBy.map(({ type, id: user, name: title }) => (
            <li key={user}>
              <ObjectLink type={type} id={user} name={title} />
            </li>
          ))}
        </ul>
      )}
    </Confirm>
  );
}
