import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { useMe } from '../../data/me.ts';
import { useMembers } from '../../data/members.ts';
import { refreshQueries } from '../../data/query.ts';
import { bound } from '../../ui/bound.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';

/** Asks members for a review of the draft. */
export function AskReview({ story, close }: { story: Types.Story; close: () => void }) {
  const me = useMe().data!.user.id;
  const people = [...(useMembers()?.values() ?? [])].filter(({ userId }) => userId !== me);
  const ids = useSignal<readonly string[]>([]);
  const note = useSignal('');
  const ask = useAction(async () => {
    const isEditor = story.permission === 'editor';
    await api.stories.requestReview(story.id, {
      reviewerIds: [...ids.peek()],
      note: note.peek().trim() || null,
      ...(isEditor && { grant: true }),
    });
    await refreshQueries(['stories', story.id]);
  });
  return (
    <Dialog
      title="Ask for a review"
      close={close}
      action="Ask"
      isIncomplete={ids.value.length === 0}
      submit={ask.run}
      isBusy={ask.isRunning}
      problem={ask.problem}
    >
      <fieldset class="field-group choices">
        <legend>Who</legend>
        {people.map(({ userId, name, email }) => (
          <CheckField
            key={userId}
            label={`${name} (${email})`}
            checked={ids.value.includes(userId)}
            onChange={({ currentTarget }) => {
              ids.value = currentTarget.checked
                ? [...ids.peek(), userId]
                : ids.peek().filter((each) => each !== userId);
            }}
          />
        ))}
      </fieldset>
      <TextField label="Note" rows={2} maxLength={2000} {...bound(note)} />
    </Dialog>
  );
}
