import type { BoardDraft } from '../../data/board-draft.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';

/** Whether everything is saved, and otherwise why not. */
export function SavingText({ draft }: { draft: BoardDraft }) {
  const saving = draft.saving.value;
  const { size } = draft.conflicts.value;
  if (typeof saving === 'object') {
    return (
      <span class="issue" role="alert">
        Your last changes are not saved: {saving.sentence}{' '}
        <Button isSmall onClick={() => void draft.flush()}>
          Save again
        </Button>
      </span>
    );
  }
  if (size > 0) return <span class="late">{counted(size, 'card')} changed by another person, too: choose below</span>;
  return <span role="status">{saving === 'saved' ? 'All changes are saved' : 'Saving …'}</span>;
}
