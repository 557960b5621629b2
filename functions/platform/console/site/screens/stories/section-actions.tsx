import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { DeleteDialog } from '../../shell/delete-record.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Issue } from '../../ui/states.tsx';
import type { SectionEdit } from './use-section.ts';

interface SectionActionsProps {
  story: Types.Story;
  section: Types.StorySection;
  label: string;
  edit: SectionEdit;
  mayWrite: boolean;
}

/** What can be done with a section, and whether its text is saved. */
export function SectionActions({ story, section, label, edit, mayWrite }: SectionActionsProps) {
  const { id } = section;
  const [isRemoving, setRemoving] = useState(false);
  const changed = () => refreshQueries(['stories', story.id]);
  const order = story.sections.map((each) => each.id);
  const at = order.indexOf(id);
  const move = useAction(async (by: number) => {
    const others = order.filter((each) => each !== id);
    await api.stories.reorderSections(story.id, { order: others.toSpliced(at + by, 0, id) });
    await changed();
  });
  if (edit.isEditing) {
    return (
      <span class="row-actions">
        <span class="hint" role="status">
          {edit.isSaving ? 'saving …' : edit.isSaved ? 'saved' : 'not saved yet'}
        </span>
        <Button isSmall look="main" onClick={() => void edit.finish().then(changed)}>
          Done
        </Button>
      </span>
    );
  }
  return (
    <span class="row-actions">
      {mayWrite && (
        <Button isSmall icon="pencil" aria-label={`Edit ${label}`} onClick={() => void edit.begin()}>
          Edit
        </Button>
      )}
      {story.permission === 'editor' && (
        <Menu
          label={`More of ${label}`}
          isRight
          class="icon-only"
          choices={[
            [
              ...(at > 0 ? [{ label: 'Move up', run: () => void move.run(-1) }] : []),
              ...(at < order.length - 1 ? [{ label: 'Move down', run: () => void move.run(1) }] : []),
            ],
            [{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => setRemoving(true) }],
          ]}
        >
          <Icon name="ellipsis" />
        </Menu>
      )}
      <Issue problem={move.problem} />
      {isRemoving && (
        <DeleteDialog
          what={`“${label}”`}
          remove={async () => {
            await api.stories.deleteSection(story.id, id, { ifMatch: section.revision });
            await changed();
          }}
          close={() => setRemoving(false)}
        >
          Published versions keep it until the next one.
        </DeleteDialog>
      )}
    </span>
  );
}
