import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import type { Step } from '../../data/board-history.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { toast } from '../../ui/toast.tsx';
import { ADDABLE, useAddCard } from './add-card.ts';
import { Publish } from './publish.tsx';

interface EditActionsProps {
  draft: BoardDraft;
  pageId: string | undefined;
  select: (cardId: string | undefined) => void;
}

/** Undo, add, publish. */
export function EditActions({ draft, pageId, select }: EditActionsProps) {
  const [isPublishing, publish] = useState(false);
  const add = useAddCard(draft, pageId, select);
  const { history } = draft;
  const repeat = useAction(async (work: () => Promise<Step | undefined>, word: string) => {
    try {
      const step = await work();
      if (step) toast(`${word}: ${step.label}`);
    } catch (error) {
      await draft.sync();
      throw error;
    }
  });
  const undo = () => void repeat.run(() => history.undo(), 'Undone');
  const redo = () => void repeat.run(() => history.redo(), 'Done again');
  useShortcut('Ctrl Z', 'Undo', undo);
  useShortcut('Ctrl Shift Z', 'Redo', redo);
  const last = history.undoable.value.at(-1);
  const next = history.redoable.value.at(-1);
  return (
    <>
      <IconButton
        icon="undo-2"
        label={last ? `Undo: ${last.label}` : 'Undo'}
        disabled={!last || repeat.isRunning}
        onClick={undo}
      />
      <IconButton
        icon="redo-2"
        label={next ? `Redo: ${next.label}` : 'Redo'}
        disabled={!next || repeat.isRunning}
        onClick={redo}
      />
      <Menu
        class="bordered"
        choices={ADDABLE.map((group) =>
          group.map(({ kind, label, icon }) => ({ label, icon, run: () => void add.run(kind) })),
        )}
      >
        <Icon name="plus" size={16} />
        Add card
      </Menu>
      <Link to={`/dashboards/${draft.id}`} class="button">
        <Icon name="eye" size={16} />
        View
      </Link>
      <Button look="main" onClick={() => publish(true)}>
        Publish
      </Button>
      {add.problem && <span class="issue">{add.problem.sentence}</span>}
      {repeat.problem && (
        <span class="issue" role="alert">
          This cannot be undone: {repeat.problem.sentence}
        </span>
      )}
      {isPublishing && <Publish draft={draft} select={select} close={() => publish(false)} />}
    </>
  );
}
