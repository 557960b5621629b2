import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import { MemberChecks } from '../../shell/member-choice.tsx';
import { bound } from '../../ui/bound.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';

/** Asks members for a review of the draft. */
export function AskReview({ story, close }: { story: Types.Story; close: () => void }) {
  const me = useMe().data!.user.id;
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
      <MemberChecks
        legend="Reviewers"
        userIds={ids.value}
        without={me}
        change={(next) => {
          ids.value = next;
        }}
      />
      <TextField label="Note" rows={2} maxLength={2000} {...bound(note)} />
    </Dialog>
  );
}
