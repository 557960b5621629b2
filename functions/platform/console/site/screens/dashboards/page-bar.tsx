import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { type BoardDraft, cardBody, newPartId } from '../../data/board-draft.ts';
import type { BoardPage } from '../../data/boards.ts';
import { api } from '../../data/client.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';

interface PageBarProps {
  draft: BoardDraft;
  current: string | undefined;
  open: (id: string | undefined) => void;
}

/** The pages of a dashboard: to choose, add, rename, hide, move and delete. */
export function PageBar({ draft, current, open }: PageBarProps) {
  const { pages } = draft.board.value;
  const [renamed, rename] = useState<BoardPage | undefined>(undefined);
  const change = useAction((work: () => PromiseLike<unknown>) => draft.structure(work));
  const page = pages.find(({ id }) => id === current);
  const add = async () => {
    const id = newPartId('page');
    // The cards so far are on the first page, which has no name while it is the only one.
    const names = pages.length === 0 ? ['Page 1', 'Page 2'] : [`Page ${pages.length + 1}`];
    const ids = names.map((_, index) => (index === names.length - 1 ? id : newPartId('page')));
    const isDone = await change.run(async () => {
      for (const [index, name] of names.entries()) await api.dashboards.createPage(draft.id, { id: ids[index]!, name });
    });
    if (!isDone) return;
    draft.history.add({
      label: 'Add a page',
      undo: () =>
        draft.structure(async () => {
          const hasCards = draft.current.cards.some(({ pageId }) => pageId !== null && ids.includes(pageId));
          if (hasCards) throw new Error('there are cards on the page now. Its menu deletes it with them.');
          for (const each of [...ids].reverse()) await api.dashboards.deletePage(draft.id, each);
        }),
      redo: () =>
        draft.structure(async () => {
          for (const [index, name] of names.entries())
            await api.dashboards.createPage(draft.id, { id: ids[index]!, name });
        }),
    });
    open(id);
  };
  return (
    <div class="page-bar">
      {pages.length > 0 && (
        <nav class="tabs pages" aria-label="Pages">
          {pages.map(({ id, name, isHidden }) => (
            <a
              key={id}
              href={to(`/dashboards/${draft.id}/edit`, { page: id })}
              aria-current={id === current ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                open(id);
              }}
            >
              {name}
              {isHidden && <span class="hint"> (hidden)</span>}
            </a>
          ))}
        </nav>
      )}
      <Button isSmall look="plain" icon="plus" isBusy={change.isRunning} onClick={() => void add()}>
        Add page
      </Button>
      {page && (
        <Menu
          label={`Actions of the page ${page.name}`}
          class="icon-only"
          choices={choicesOf(draft, page, { run: change.run, open, rename: () => rename(page) })}
        >
          <Icon name="ellipsis" />
        </Menu>
      )}
      {change.problem && (
        <span class="issue" role="alert">
          {change.problem.sentence}
        </span>
      )}
      {renamed && <RenamePage draft={draft} page={renamed} close={() => rename(undefined)} />}
    </div>
  );
}

interface Doing {
  run(work: () => PromiseLike<unknown>): Promise<boolean>;
  open: PageBarProps['open'];
  rename(): void;
}

function choicesOf(draft: BoardDraft, page: BoardPage, { run, open, rename }: Doing): MenuChoice[][] {
  const { pages } = draft.current;
  const at = pages.findIndex(({ id }) => id === page.id);
  const reorder = (ids: readonly string[]) => api.dashboards.reorderPages(draft.id, { pageIds: [...ids] });
  const move = (by: number) => async () => {
    const before = pages.map(({ id }) => id);
    const after = [...before];
    after.splice(at + by, 0, ...after.splice(at, 1));
    if (!(await run(() => reorder(after)))) return;
    draft.history.add({
      label: `Move the page ${page.name}`,
      undo: () => draft.structure(() => reorder(before)),
      redo: () => draft.structure(() => reorder(after)),
    });
  };
  const hide = async () => {
    const set = (isHidden: boolean) => () => api.dashboards.updatePage(draft.id, page.id, { isHidden });
    if (!(await run(set(!page.isHidden)))) return;
    draft.history.add({
      label: page.isHidden ? `Show the page ${page.name}` : `Hide the page ${page.name}`,
      undo: () => draft.structure(set(page.isHidden)),
      redo: () => draft.structure(set(!page.isHidden)),
    });
  };
  const remove = async () => {
    // Cards without a page are on the first one, whichever that is.
    const cards = draft.current.cards.filter(({ pageId }) => pageId === page.id).map(cardBody);
    const linked = draft.filtersOf(cards.map((card) => card.id!));
    const gone = () => api.dashboards.deletePage(draft.id, page.id);
    const isDone = await run(gone);
    if (!isDone) return;
    const { id, name, isHidden, pageIndex } = page;
    const restore = async () => {
      await draft.structure(async () => {
        await api.dashboards.createPage(draft.id, { id, name, isHidden, pageIndex });
        for (const card of cards) await api.dashboards.createCard(draft.id, card);
      });
      await draft.link(linked);
    };
    draft.history.add({ label: `Delete the page ${name}`, undo: restore, redo: () => draft.structure(gone) });
    open(undefined);
    toast(`The page ${name} is deleted with its cards.`, {
      action: { label: 'Undo', run: () => void draft.history.undo() },
    });
  };
  return [
    [
      { label: 'Rename', icon: 'pencil', run: rename },
      { label: page.isHidden ? 'Show to readers' : 'Hide from readers', icon: 'eye', run: () => void hide() },
      ...(at > 0 ? [{ label: 'Move left', icon: 'arrow-left' as const, run: () => void move(-1)() }] : []),
      ...(at < pages.length - 1
        ? [{ label: 'Move right', icon: 'arrow-right' as const, run: () => void move(1)() }]
        : []),
    ],
    [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => void remove() }],
  ];
}

function RenamePage({ draft, page, close }: { draft: BoardDraft; page: BoardPage; close: () => void }) {
  const name = useSignal(page.name);
  const rename = useAction(async () => {
    const set = (to: string) => () => api.dashboards.updatePage(draft.id, page.id, { name: to });
    const next = name.peek().trim();
    await draft.structure(() =>
      api.dashboards.updatePage(draft.id, page.id, { name: next }, { ifMatch: page.revision }),
    );
    draft.history.add({
      label: `Rename the page ${page.name}`,
      undo: () => draft.structure(set(page.name)),
      redo: () => draft.structure(set(next)),
    });
  });
  return (
    <Dialog
      title="Rename the page"
      action="Rename"
      isBusy={rename.isRunning}
      problem={rename.problem}
      submit={() => rename.run()}
      close={close}
    >
      <Field
        label="Name"
        required
        maxLength={200}
        value={name.value}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
    </Dialog>
  );
}
