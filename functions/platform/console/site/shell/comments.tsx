import { useSignal } from '@preact/signals';
import { useAction } from '../data/action.ts';
import { api, type Types } from '../data/client.ts';
import { problemOf } from '../data/problem.ts';
import { refreshQueries, useQuery } from '../data/query.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { counted } from '../ui/format.ts';
import { Failed, Issue, Loading } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

interface CommentsProps {
  type: string;
  id: string;
}

const MAX = 100;

/** What people say about an object, the newest thread last. */
export function Comments({ type, id }: CommentsProps) {
  const key = ['comments', type, id];
  const { data, error, refresh } = useQuery(key, () => api.comments.list(type, id, { limit: MAX }).then(), {
    everyMs: 30_000,
  });
  const text = useSignal('');
  const say = useAction(async () => {
    await api.comments.create({ resourceType: type, resourceId: id, content: text.peek().trim() });
    text.value = '';
    await refreshQueries(key);
  });
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />;
  return (
    <div class="comments">
      {data.items.length === 0 && <p class="hint">There are no comments yet.</p>}
      <ul class="list">
        {data.items.map((thread) => (
          <Thread key={thread.id} thread={thread} refresh={refresh} mayComment={data.mayComment} />
        ))}
      </ul>
      {data.total > data.items.length && (
        <p class="hint">The first {counted(data.items.length, 'thread')} are shown.</p>
      )}
      {data.warning === 'PROTECTED_SOURCE' && (
        <p class="hint">Not every reader may see all rows: do not quote rows in comments.</p>
      )}
      {data.mayComment && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void say.run();
          }}
        >
          <TextField
            label="Comment"
            required
            maxLength={10_000}
            rows={3}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
            }}
          />
          <Issue problem={say.problem} />
          <div class="actions">
            <Button type="submit" isBusy={say.isRunning}>
              Comment
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}

interface ThreadProps {
  thread: Types.CommentThread;
  refresh: () => void;
  mayComment: boolean;
}

function Thread({ thread, refresh, mayComment }: ThreadProps) {
  const isResolved = thread.resolvedAt !== null;
  const resolve = useAction(async () => {
    await api.comments.update(thread.id, { isResolved: !isResolved });
    refresh();
  });
  return (
    <li>
      <Said comment={thread} />
      {thread.replies.map((reply) => (
        <div class="reply" key={reply.id}>
          <Said comment={reply} />
        </div>
      ))}
      <p class="hint">
        {isResolved && 'Resolved. '}
        {mayComment && (
          <Button isSmall look="plain" isBusy={resolve.isRunning} onClick={() => void resolve.run()}>
            {isResolved ? 'Reopen' : 'Resolve'}
          </Button>
        )}
      </p>
      <Issue problem={resolve.problem} />
    </li>
  );
}

const Said = ({ comment: { author, createdAt, content, editedAt } }: { comment: Said }) => (
  <>
    <p>
      <strong>{author.name}</strong>{' '}
      <span class="hint">
        <Ago at={createdAt} />
        {editedAt && ', edited'}
      </span>
    </p>
    <p class="said">{content === null ? <em>This comment was deleted.</em> : plain(content)}</p>
  </>
);

type Said = Pick<Types.CommentThread, 'author' | 'createdAt' | 'content' | 'editedAt'>;

/** Mentions by their names. */
const plain = (content: string): string => content.replaceAll(/@\[([^\]]*)\]\((?:user|group):[^)]*\)/g, '@$1');
