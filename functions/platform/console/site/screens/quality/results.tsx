import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { kindOfRun, type Run, type Test, wordsOf } from '../../data/quality.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Count } from '../../ui/count.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { counted, countOf, shareOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { RateLine } from './rate-line.tsx';

const MAX = 200;
const EVERY_MS = 15_000;
const POLL_MS = 1_000;
const MAX_POLLS = 120;
const MAX_STORED = 10_000;

const TRIGGERS: Readonly<Record<string, string>> = {
  manual: 'a person',
  run_all: 'a run of all tests',
  sync: 'new data',
};

const COLUMNS: readonly Column<Run>[] = [
  { id: 'at', label: 'Started', width: '130px', cell: ({ startedAt }) => <Ago at={startedAt} /> },
  {
    id: 'status',
    label: 'Result',
    width: '120px',
    cell: ({ status }) => <Status kind={kindOfRun(status)} label={status} />,
  },
  {
    id: 'failed',
    label: 'Failing rows',
    isNumber: true,
    width: '120px',
    cell: ({ failedRows }) => (failedRows === null ? '–' : <Count of={failedRows} />),
  },
  {
    id: 'share',
    label: 'Pass',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ failedRows, evaluatedRows }) =>
      failedRows === null || evaluatedRows === null ? '–' : shareOf(evaluatedRows - failedRows, evaluatedRows),
  },
  {
    id: 'trigger',
    label: 'Started by',
    isMinor: true,
    width: '140px',
    cell: ({ trigger }) => TRIGGERS[trigger] ?? wordsOf(trigger),
  },
  { id: 'message', label: 'What was found', cell: ({ message }) => <span title={message ?? ''}>{message}</span> },
];

/** What the runs of the last 90 days have found, newest first. */
export function Results({ test, canEdit }: { test: Test; canEdit: boolean }) {
  const { id } = test;
  const { data, error, refresh } = useQuery(
    ['quality', 'tests', id, 'runs'],
    async () => (await api.quality.listTestRuns(id, { limit: MAX })).items,
    { everyMs: EVERY_MS },
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  const [last] = data;
  if (!last) {
    return (
      <Empty icon="play" title="The test has not run yet">
        {canEdit ? 'Run it now to see which rows fail.' : 'Its results appear here.'}
      </Empty>
    );
  }
  return (
    <>
      {data.filter(({ passRate }) => passRate !== null).length > 1 && <RateLine runs={data} />}
      {last.sample && last.sample.rows.length > 0 && (
        <Section
          title={`Some of the ${counted(last.failedRows ?? last.sample.rows.length, 'failing row')}`}
          actions={canEdit && last.failedRows !== null && <StoreRows testId={id} failedRows={last.failedRows} />}
        >
          <DataGrid
            label="Failing rows"
            columns={last.sample.columns.map((name) => ({ name, type: '' }))}
            rows={last.sample.rows}
          />
        </Section>
      )}
      <Table label="Results" columns={COLUMNS} rows={data} keyOf={(run) => run.id} />
    </>
  );
}

/** Keeps the failing rows as a dataset, to work on them. */
function StoreRows({ testId, failedRows }: { testId: string; failedRows: number }) {
  const stored = useSignal<{ datasetId: string; rows: number } | undefined>(undefined);
  const store = useAction(async () => {
    const { id } = await api.quality.storeFailingRows(testId, { limit: MAX_STORED });
    for (let poll = 0; poll < MAX_POLLS; poll += 1) {
      const job = await api.quality.getJob(id);
      if (job.status === 'failed') throw new Error(job.error?.message ?? 'The rows could not be stored.');
      if (job.status === 'succeeded') {
        stored.value = job.result as unknown as { datasetId: string; rows: number };
        await refreshQueries(['datasets']);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error('This takes longer than expected. The dataset appears among the datasets once it is done.');
  });
  return (
    <>
      {stored.value ? (
        <Link to={`/datasets/${stored.value.datasetId}`}>{counted(stored.value.rows, 'row')} stored as a dataset</Link>
      ) : (
        <Button isSmall icon="save" isBusy={store.isRunning} onClick={() => void store.run()}>
          Store {failedRows > MAX_STORED ? `the first ${countOf(MAX_STORED)}` : 'all'} as a dataset
        </Button>
      )}
      <Issue problem={store.problem} />
    </>
  );
}
