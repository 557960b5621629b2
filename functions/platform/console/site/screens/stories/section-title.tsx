import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { Issue } from '../../ui/states.tsx';

interface SectionTitleProps {
  section: Types.StorySection;
  isEditable: boolean;
}

/** The title of a section, which is saved when it is left. */
export function SectionTitle({ section, isEditable }: SectionTitleProps) {
  const { id, storyId, title } = section;
  const text = useSignal(title ?? '');
  useEffect(() => {
    if (!isEditable) text.value = title ?? '';
  }, [title, isEditable]);
  const save = useAction(async () => {
    const next = text.peek().trim() || null;
    if (next === title) return;
    await api.stories.updateSection(storyId, id, { title: next });
    await refreshQueries(['stories', storyId]);
  });
  if (!isEditable) return <h2>{title ?? <span class="hint">Without a title</span>}</h2>;
  return (
    <div class="title-field">
      <h2 class="sr">{title ?? 'Without a title'}</h2>
      <input
        aria-label="Title of the section"
        placeholder="Title of the section"
        maxLength={200}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onBlur={() => void save.run()}
      />
      <Issue problem={save.problem} />
    </div>
  );
}
