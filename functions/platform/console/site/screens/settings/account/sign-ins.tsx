import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../../ui/states.tsx';
import { Ago } from '../../../ui/time.tsx';
import { clientOf } from './client-of.ts';

const KEY = ['sign-ins'];
const FIRST = 5;

/** Where the person is signed in. */
export function SignIns() {
  const { data, error, refresh } = useQuery(KEY, () => api.auth.listSessions());
  const [isWhole, setWhole] = useState(false);
  const end = useAction(async (id: string) => {
    await api.auth.endSession(id);
    await refreshQueries(KEY);
  });
  const endOthers = useAction(async () => {
    await api.auth.endOtherSessions();
    await refreshQueries(KEY);
  });
  const items = data && [...data.items].sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  const shown = isWhole ? items : items?.slice(0, FIRST);
  return (
    <Section
      title="Sign-ins"
      actions={
        data &&
        data.total > 1 && (
          <Button isSmall isBusy={endOthers.isRunning} onClick={() => void endOthers.run()}>
            End all others
          </Button>
        )
      }
    >
      {data === undefined && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />)}
      <ul class="rows">
        {shown?.map((session) => (
          <SignIn key={session.id} session={session} end={() => void end.run(session.id)} />
        ))}
      </ul>
      {items && items.length > (shown?.length ?? 0) && (
        <Button look="plain" isSmall onClick={() => setWhole(true)}>
          Show all {data?.total}
        </Button>
      )}
      <Issue problem={end.problem ?? endOthers.problem} />
    </Section>
  );
}

const SignIn = ({ session, end }: { session: Types.Session; end: () => void }) => (
  <li>
    <div>
      <strong title={session.userAgent ?? undefined}>{clientOf(session.userAgent)}</strong>
      {session.isCurrent && <span class="tag">this one</span>}
      <p class="hint">
        {session.sourceIp ?? 'unknown address'} · since <Ago at={session.createdAt} />
        {session.lastUsedAt !== null && (
          <>
            {' '}
            · last used <Ago at={session.lastUsedAt} />
          </>
        )}
      </p>
    </div>
    {!session.isCurrent && (
      <Button isSmall onClick={end}>
        End
      </Button>
    )}
  </li>
);
