import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { bound } from '../../ui/bound.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';

const MAX_THREADS = 100;

/** The open comments and suggestions. Comments on words are written on the page of the draft. */
export function Discussion({ story }: { story: Types.Story }) {
  const key = ['comments', 'story', story.id];
  const { data, error, refresh } = useQuery(key, () =>
    api.comments.list('story', story.id, { state: 'open', limit: MAX_THREADS }),
  );
  const text = useSignal('');
  const write = useAction(async () => {
    await api.comments.create({ resourceType: 'story', resourceId: story.id, content: text.peek().trim() });
    text.value = '';
    await refreshQueries(key);
  });
  return (
    <aside class="discussion" aria-label="Comments">
      <h2>Comments</h2>
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={3} />)}
      {data?.items.length === 0 && <p class="hint">There are no open comments.</p>}
      {data?.items.map((thread) => (
        <Thread key={thread.id} story={story} thread={thread} />
      ))}
      {data?.mayComment && (
        <Form action="Comment" submit={() => write.run()} isBusy={write.isRunning} problem={write.problem}>
          <TextField label="On the story" rows={2} required maxLength={10_000} {...bound(text)} />
        </Form>
      )}
    </aside>
  );
}

/** What a thread is about, as far as it concerns a text. */
interface Context {
  kind: string;
  sectionId?: string;
  quote?: { exact: string };
  replacement?: string;
}

function Thread({ story, thread }: { story: Types.Story; thread: Types.CommentThread }) {
  const context = thread.context as Context;
  const section = story.sections.find(({ id }) => id === context.sectionId);
  const changed = () =>
    Promise.all([refreshQueries(['comments', 'story', story.id]), refreshQueries(['stories', story.id])]);
  const resolve = useAction(async () => {
    await api.comments.update(thread.id, { isResolved: true });
    await changed();
  });
  const decide = useAction(async (isAccepted: boolean) => {
    const { sectionId } = context;
    if (isAccepted) await api.stories.acceptSuggestion(story.id, sectionId!, thread.id);
    else await api.stories.rejectSuggestion(story.id, sectionId!, thread.id);
    await changed();
  });
  const isSuggestion = context.kind === 'suggestion' && context.sectionId !== undefined;
  return (
    <article class="thread">
      {section && <a href={`#${section.id}`}>{section.title ?? `Section ${section.ordinal + 1}`}</a>}
      {context.quote && (
        <p class="quote">
          <q>{thread.anchor.text ?? context.quote.exact}</q>
          {isSuggestion && (
            <>
              {' → '}
              <q>{context.replacement}</q>
            </>
          )}
        </p>
      )}
      <Said comment={thread} />
      {thread.replies.map((reply) => (
        <Said key={reply.id} comment={reply} />
      ))}
      <div class="actions">
        {isSuggestion ? (
          <>
            <Button isSmall look="main" isBusy={decide.isRunning} onClick={() => void decide.run(true)}>
              Accept
            </Button>
            <Button isSmall isBusy={decide.isRunning} onClick={() => void decide.run(false)}>
              Reject
            </Button>
          </>
        ) : (
          <Button isSmall isBusy={resolve.isRunning} onClick={() => void resolve.run()}>
            Resolve
          </Button>
        )}
      </div>
      <Issue problem={resolve.problem ?? decide.problem} />
    </article>
  );
}

const MENTION = /@\[([^\]]*)\]\((?:user|group):[^)]*\)/g;

const Said = ({
  comment: { author, createdAt, content },
}: {
  comment: Pick<Types.CommentThread, 'author' | 'createdAt' | 'content'>;
}) => (
  <div>
    <p class="hint">
      {author.name} · <Ago at={createdAt} />
    </p>
    <p>{content === null ? <span class="hint">deleted</span> : content.replaceAll(MENTION, '@$1')}</p>
  </div>
);
