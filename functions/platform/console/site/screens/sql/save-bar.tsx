import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { remember } from '../../data/recent.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Issue } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { DeleteSaved } from './delete-saved.tsx';
import { Details } from './details.tsx';
import type { SqlEditor } from './editor-view.ts';
import { createSaved, fieldsOf, type SavedQuery, savedAs, updateSaved } from './saved.ts';
import type { Tab, Tabs } from './tabs.ts';
import { Versions } from './versions.tsx';

interface SaveBarProps {
  tabs: Tabs;
  tab: Tab;
  editor: { current: SqlEditor | undefined };
  /** For a statement without a name. */
  suggestedName: string;
  close(): void;
}

/** The name of the query, and what can be done with it once it is saved. */
export function SaveBar({ tabs, tab, editor, suggestedName, close }: SaveBarProps) {
  const { id, saved } = tab;
  const [dialog, open] = useState<'versions' | 'details' | 'delete' | undefined>(undefined);
  const theirs = useSignal<SavedQuery | undefined>(undefined);
  /** The tab shows a record as it is stored now. */
  const take = (query: SavedQuery, hasText = true) => {
    theirs.value = undefined;
    save.clear();
    const { name, sql, sourceId } = query;
    tabs.change(id, {
      name,
      sourceId,
      saved: savedAs(query),
      ...(hasText && { params: fieldsOf(query) }),
    });
    if (hasText) editor.current?.replace(sql);
  };
  const save = useAction(async (ifMatch: number | undefined) => {
    const name = tab.name.trim() || suggestedName;
    const sql = tabs.textOf(id);
    try {
      const query =
        saved && ifMatch !== undefined
          ? await updateSaved(saved, { name, sql, tab, ifMatch })
          : await createSaved(name, sql, tab);
      theirs.value = undefined;
      tabs.change(id, { name, saved: savedAs(query) });
      remember({ type: 'saved_query', id: query.id, name });
      toast(`“${name}” is saved as version ${query.version}.`);
    } catch (error) {
      const { status } = error as { status?: number };
      if (saved && status === 412) theirs.value = await api.savedQueries.get(saved.id);
      // Another person has deleted it: the next save makes a new one.
      if (saved && status === 404) tabs.change(id, { saved: undefined });
      throw error;
    }
  });
  const saveNow = () => void save.run(saved?.revision);
  useShortcut('Ctrl S', 'Save the query', saveNow);
  const copyLink = async (savedId: string) => {
    await navigator.clipboard.writeText(location.origin + to(`/sql/${savedId}`));
    toast('The link is copied.');
  };
  const closeDialog = () => open(undefined);
  return (
    <div class="sql-save">
      <input
        class="sql-name"
        aria-label="Name of the query"
        placeholder={suggestedName}
        maxLength={200}
        autocomplete="off"
        value={tab.name}
        onInput={({ currentTarget }) => tabs.change(id, { name: currentTarget.value })}
      />
      <Button icon="save" isBusy={save.isRunning} title="Ctrl S" onClick={saveNow}>
        Save
      </Button>
      <Menu
        label="More actions"
        isRight
        class="icon-only"
        choices={
          [
            saved
              ? [
                  { label: 'Copy link', icon: 'link', run: () => void copyLink(saved.id) },
                  { label: 'Versions', icon: 'clock', run: () => open('versions') },
                  { label: 'Details', icon: 'pencil', run: () => open('details') },
                ]
              : [],
            [
              {
                label: 'Duplicate',
                icon: 'copy',
                run: () => void tabs.add({ ...withoutSaved(tab), sql: tabs.textOf(id) }),
              },
              { label: 'Close', icon: 'x', run: close },
            ],
            saved ? [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => open('delete') }] : [],
          ].filter((group) => group.length > 0) as never
        }
      >
        <Icon name="ellipsis" />
      </Menu>
      {theirs.value ? (
        <Changed keepMine={() => void save.run(theirs.value!.revision)} takeTheirs={() => take(theirs.value!)}>
          It is now “{theirs.value.name}”, version {theirs.value.version}:
          <pre class="sql-theirs">{theirs.value.sql}</pre>
        </Changed>
      ) : (
        <Issue problem={save.problem} />
      )}
      {saved && dialog === 'versions' && (
        <Versions id={saved.id} name={saved.name} restored={(query) => take(query)} close={closeDialog} />
      )}
      {saved && dialog === 'details' && (
        <Details
          id={saved.id}
          saved={(query) => tabs.change(id, { saved: { ...saved, revision: query.revision } })}
          close={closeDialog}
        />
      )}
      {saved && dialog === 'delete' && (
        <DeleteSaved saved={saved} deleted={() => tabs.change(id, { saved: undefined })} close={closeDialog} />
      )}
    </div>
  );
}

const withoutSaved = ({ name, sourceId, limit, params }: Tab): Partial<Tab> => ({
  name: name && `${name} copy`,
  sourceId,
  limit,
  params,
});
