import { useEffect, useState } from 'preact/hooks';
import type { Types } from '../../data/client.ts';
import { useMe } from '../../data/me.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Issue } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { keptDraft } from './drafts.ts';
import type { Insertion, InsertKind, NearBlock } from './insert/insertion.ts';
import { SectionActions } from './section-actions.tsx';
import { SectionTitle } from './section-title.tsx';
import { RichEditor } from './text/rich-editor.tsx';
import type { Choose } from './text/toolbar.tsx';
import { useBlocks } from './use-blocks.tsx';
import { useSection } from './use-section.ts';

interface SectionProps {
  story: Types.Story;
  section: Types.StorySection;
  nameOf(userId: string): string;
  /** Which lock this tab renews, if any. */
  onLock(sectionId: string, lockId: string | undefined): void;
  /** Whether the lock that this tab had is over. */
  isLost: boolean;
}

interface Choice {
  kind: InsertKind;
  blocks: readonly NearBlock[];
  resolve: (insertion: Insertion | undefined) => void;
}

const Insert = lazyPart(() => import('./insert/index.tsx'));

/** One section: read until the person takes it to write. */
export function Section({ story, section, nameOf, onLock, isLost }: SectionProps) {
  const { id, lock, readOnly, hidden, editorIds } = section;
  const me = useMe().data!.user.id;
  const edit = useSection(section);
  const [choice, setChoice] = useState<Choice>();
  const { fill, pictures } = useBlocks(story.id, edit.editSeq);
  useEffect(() => onLock(id, edit.lockId), [edit.lockId]);
  useEffect(() => {
    if (isLost) edit.lost();
  }, [isLost]);
  const draft = edit.isEditing ? undefined : keptDraft(id);
  const holder = lock && lock.holder.id !== me ? lock.holder.name : undefined;
  const isAllowed = editorIds.length === 0 || editorIds.includes(me) || story.permission === 'editor';
  const label = section.title ?? `Section ${section.ordinal + 1}`;
  const choose: Choose = (kind, blocks) => new Promise((resolve) => setChoice({ kind, blocks, resolve }));
  if (hidden) {
    return (
      <section class="story-section" aria-label={label}>
        <p class="hint">This section is hidden from you: it shows rows that you may not see.</p>
      </section>
    );
  }
  return (
    <section class={edit.isEditing ? 'story-section editing' : 'story-section'} aria-label={label} id={id}>
      <header>
        <SectionTitle section={section} isEditable={edit.isEditing} />
        <SectionActions
          story={story}
          section={section}
          label={label}
          edit={edit}
          mayWrite={!readOnly && isAllowed && holder === undefined}
        />
      </header>
      {holder !== undefined && (
        <p class="hint" role="status">
          {holder} is writing here.
        </p>
      )}
      {readOnly && <p class="hint">This section is read-only.</p>}
      {draft && (
        <p class="issue-box">
          A text of yours was not saved here.{' '}
          <Button
            isSmall
            onClick={() =>
              void edit.begin().then(() => {
                edit.restore(draft);
              })
            }
          >
            Continue with it
          </Button>
        </p>
      )}
      <RichEditor
        label={label}
        content={edit.content}
        version={edit.version}
        isEditable={edit.isEditing && !edit.theirs}
        change={edit.change}
        fill={fill}
        choose={choose}
      />
      {pictures}
      {edit.theirs ? (
        <Changed keepMine={() => void edit.keepMine()} takeTheirs={edit.takeTheirs}>
          {nameOf(edit.theirs.editedBy)} has changed the same paragraphs <Ago at={edit.theirs.editedAt} />. What you do
          not keep stays among the earlier texts of the section for 30 days.
        </Changed>
      ) : (
        <Issue problem={edit.problem} />
      )}
      {choice && (
        <Insert
          kind={choice.kind}
          storyId={story.id}
          blocks={choice.blocks}
          close={(insertion) => {
            setChoice(undefined);
            choice.resolve(insertion);
          }}
        />
      )}
    </section>
  );
}
