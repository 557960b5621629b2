import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { useMe } from '../../data/me.ts';
import { refreshQueries } from '../../data/query.ts';
import { bound } from '../../ui/bound.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';

interface ReviewProps {
  story: Types.Story;
  nameOf(userId: string): string;
}

/** The review that is going on, and the decision of the person if they were asked. */
export function Review({ story, nameOf }: ReviewProps) {
  const { id, review } = story;
  const me = useMe().data!.user.id;
  const note = useSignal('');
  const decide = useAction(async (decision: 'approved' | 'changes_requested') => {
    await api.stories.decideReview(id, { decision, note: note.peek().trim() || null });
    await refreshQueries(['stories', id]);
  });
  const end = useAction(async () => {
    await api.stories.endReview(id);
    await refreshQueries(['stories', id]);
  });
  if (!review) return null;
  const isAsked = review.reviewers.some(({ userId }) => userId === me);
  const mayEnd = review.requestedBy === me || story.permission === 'editor';
  return (
    <Section
      title="Review"
      actions={
        mayEnd && (
          <Button isSmall isBusy={end.isRunning} onClick={() => void end.run()}>
            End the review
          </Button>
        )
      }
    >
      <p class="hint">
        {nameOf(review.requestedBy)} asked <Ago at={review.requestedAt} />
        {review.note !== null && `: ${review.note}`}
      </p>
      <ul class="reviewers">
        {review.reviewers.map(({ userId, decision, note: said, outdated }) => (
          <li key={userId}>
            {nameOf(userId)} <Decision decision={decision} />
            {outdated && <span class="hint"> of an earlier text</span>}
            {said !== null && <p>{said}</p>}
          </li>
        ))}
      </ul>
      {isAsked && (
        <div class="form">
          <TextField label="Your note" rows={2} maxLength={2000} {...bound(note)} />
          <div class="actions">
            <Button look="main" isBusy={decide.isRunning} onClick={() => void decide.run('approved')}>
              Approve
            </Button>
            <Button isBusy={decide.isRunning} onClick={() => void decide.run('changes_requested')}>
              Ask for changes
            </Button>
          </div>
        </div>
      )}
      <Issue problem={decide.problem ?? end.problem} />
    </Section>
  );
}

const Decision = ({ decision }: { decision: string | null }) =>
  decision === null ? (
    <Status kind="waiting" label="not decided" />
  ) : decision === 'approved' ? (
    <Status kind="succeeded" label="approved" />
  ) : (
    <Status kind="failed" label="asks for changes" />
  );
