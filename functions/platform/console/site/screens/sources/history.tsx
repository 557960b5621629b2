import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import type { Source } from '../../data/sources.ts';
import { started } from '../../data/started.ts';
import { jobColumns } from '../../shell/job-columns.tsx';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

const MAX = 200;
const SOON_MS = 1_500;
const LATER_MS = 15_000;

/** How reading the catalog went, newest first. */
export function History({ source: { id } }: { source: Source }) {
  const [everyMs, setEvery] = useState(LATER_MS);
  const { data, error, refresh } = useQuery(
    ['sources', id, 'history'],
    async () => (await api.dataSources.listHistory(id, { limit: MAX })).items,
    { everyMs },
  );
  const isRunning = data?.some(({ status }) => status === 'queued' || status === 'running') === true;
  useEffect(() => setEvery(isRunning ? SOON_MS : LATER_MS), [isRunning]);
  const isAdmin = hasRole(useMe().data, 'admin');
  const sync = useAction(async () => {
    await started(api.dataSources.sync(id));
    await refreshQueries(['sources', id]);
  });
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const action = isAdmin && (
    <div class="actions">
      <Button icon="refresh-cw" isBusy={sync.isRunning || isRunning} onClick={() => void sync.run()}>
        Read the catalog now
      </Button>
      <Issue problem={sync.problem} />
    </div>
  );
  if (data.length === 0) {
    return (
      <Empty icon="clock" title="The catalog has not been read yet" action={action}>
        Once read, the names of its tables are kept here, even while the source is down.
      </Empty>
    );
  }
  return (
    <>
      {action}
      <Table label="History" columns={COLUMNS} rows={data} keyOf={(job) => job.id} />
    </>
  );
}

const COLUMNS = jobColumns({
  textOf: ({ result }) =>
    typeof result?.tables === 'number' ? counted(result.tables, 'table or file', 'tables or files') : '',
});
