import { useSignal } from '@preact/signals';
import { addressOf, type Bookmark, stateNow } from '../../../../../boards/browser/bookmarks.ts';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, Field } from '../../ui/field.tsx';
import { Issue } from '../../ui/states.tsx';

const keyOf = (id: string) => ['dashboards', id, 'bookmarks'];

export const useBookmarks = (id: string) =>
  useQuery(keyOf(id), async () => (await api.dashboards.listBookmarks(id)).items);

export const bookmarkAddress = (bookmark: Types.DashboardBookmark): string => {
  const url = new URL(addressOf(bookmark as Bookmark));
  return url.pathname + url.search;
};

/** Opens the default bookmark of the person, or that of everyone. */
export function openDefaultBookmark(
  bookmarks: readonly Types.DashboardBookmark[],
  open: (address: string) => void,
): void {
  const found = bookmarks.filter(({ isDefault }) => isDefault);
  const chosen = found.find(({ isPersonal }) => isPersonal) ?? found[0];
  if (chosen) open(bookmarkAddress(chosen));
}

interface DialogProps {
  id: string;
  pageId: string | undefined;
  bookmarks: readonly Types.DashboardBookmark[];
  /** Whether the person may keep bookmarks for everyone. */
  isEditor: boolean;
  close: () => void;
}

/** Keeps what is chosen now: the page, filters, time zone, selection and steps into cards. */
export function SaveBookmark({ id, pageId, isEditor, close }: DialogProps) {
  const name = useSignal('');
  const isDefault = useSignal(false);
  const isShared = useSignal(false);
  const save = useAction(async () => {
    const state = stateNow({ pageId: pageId ?? null }) as Types.BookmarkState;
    const body = { name: name.peek().trim(), isDefault: isDefault.peek(), isPersonal: !isShared.peek(), state };
    await api.dashboards.createBookmark(id, body);
    await refreshQueries(keyOf(id));
  });
  return (
    <Dialog
      title="Save this view"
      action="Save"
      isBusy={save.isRunning}
      problem={save.problem}
      submit={() => save.run()}
      close={close}
    >
      <Field
        label="Name"
        required
        maxLength={200}
        autocomplete="off"
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      <CheckField
        label="Open the dashboard with it"
        checked={isDefault.value}
        onChange={({ currentTarget }) => {
          isDefault.value = currentTarget.checked;
        }}
      />
      {isEditor && (
        <CheckField
          label="For everyone"
          checked={isShared.value}
          onChange={({ currentTarget }) => {
            isShared.value = currentTarget.checked;
          }}
        />
      )}
    </Dialog>
  );
}

/** Bookmarks to update with what is chosen now, or to delete. */
export function ManageBookmarks({ id, pageId, bookmarks, isEditor, close }: DialogProps) {
  const asked = useSignal<string | undefined>(undefined);
  const change = useAction(
    async (_of: string, work: () => PromiseLike<unknown>) => {
      await work();
      asked.value = undefined;
      await refreshQueries(keyOf(id));
    },
    { isShared: true },
  );
  const own = bookmarks.filter(({ isPersonal }) => isPersonal || isEditor);
  return (
    <Dialog title="Bookmarks" close={close}>
      <ul class="list bookmarks-list">
        {own.map(({ id: bookmarkId, name, isDefault, isPersonal, revision }) => (
          <li key={bookmarkId}>
            <span>
              {name}{' '}
              <span class="hint">
                {[isDefault && 'opens first', !isPersonal && 'for everyone'].filter(Boolean).join(', ')}
              </span>
            </span>
            <Button
              isSmall
              aria-label={`Update ${name}`}
              onClick={() =>
                void change.run(`update ${bookmarkId}`, () =>
                  api.dashboards.updateBookmark(
                    bookmarkId,
                    { state: stateNow({ pageId: pageId ?? null }) as Types.BookmarkState },
                    { ifMatch: revision },
                  ),
                )
              }
            >
              Update
            </Button>
            <Button
              isSmall
              look={asked.value === bookmarkId ? 'danger' : 'plain'}
              aria-label={asked.value === bookmarkId ? `Really delete ${name}?` : `Delete ${name}`}
              onClick={() => {
                if (asked.peek() !== bookmarkId) asked.value = bookmarkId;
                else {
                  const remove = () => api.dashboards.deleteBookmark(bookmarkId, { ifMatch: revision });
                  void change.run(`remove ${bookmarkId}`, remove);
                }
              }}
            >
              {asked.value === bookmarkId ? 'Really delete?' : 'Delete'}
            </Button>
          </li>
        ))}
      </ul>
      {own.length === 0 && <p class="hint">There are no bookmarks left.</p>}
      <Issue problem={change.problem} />
    </Dialog>
  );
}
