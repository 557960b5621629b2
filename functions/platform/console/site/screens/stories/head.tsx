import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { bound } from '../../ui/bound.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { Issue } from '../../ui/states.tsx';

/** The title and the summary, which are saved when they are left. */
export function Head({ story }: { story: Types.Story }) {
  const { id, editSeq } = story;
  const title = useSignal(story.title);
  const summary = useSignal(story.summary ?? '');
  useEffect(() => {
    title.value = story.title;
    summary.value = story.summary ?? '';
  }, [editSeq]);
  const save = useAction(async () => {
    const next = { title: title.peek().trim(), summary: summary.peek().trim() || null };
    if (next.title === story.title && next.summary === story.summary) return;
    await api.stories.update(id, next, { baseEditSeq: editSeq });
    await refreshQueries(['stories']);
  });
  const { problem } = save;
  return (
    <div class="form story-head">
      <Field
        label="Title"
        maxLength={200}
        required
        issue={issueOf(problem, 'title')}
        onBlur={() => void save.run()}
        {...bound(title)}
      />
      <TextField
        label="Summary"
        rows={2}
        maxLength={1000}
        issue={issueOf(problem, 'summary')}
        onBlur={() => void save.run()}
        {...bound(summary)}
      />
      <Issue problem={problem} />
    </div>
  );
}
