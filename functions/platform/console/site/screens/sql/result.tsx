import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import type { Types } from '../../data/client.ts';
import type { ShownLook } from '../../data/dashboard-cards.ts';
import { downloadRows, type Format, MAX_ROWS, type ResultSet, type Statement } from '../../data/sql.ts';
import { SuggestedCharts } from '../../shell/suggested-charts.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid, type GridCell } from '../../ui/data-grid.tsx';
import { counted, countOf, durationOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Empty, Issue } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Ago } from '../../ui/time.tsx';
import { CellBar } from './cell-bar.tsx';
import type { Run } from './runs.ts';

export type Finished = Extract<Run, { step: 'done' }>;

interface ResultProps {
  run: Finished;
  /** The name of files. */
  name: string;
  /** Runs the statement again for up to this many rows; absent where the number of rows is fixed. */
  runFor?: ((limit: number) => void) | undefined;
  /** Puts the result on a dashboard, as the chart that is shown; absent for those who may not. */
  addToDashboard?: ((look: ShownLook | undefined) => void) | undefined;
}

/** The rows of a run, and their charts. */
export function Result({ run, name, runFor, addToDashboard }: ResultProps) {
  const { result, statement } = run;
  const { query } = useLocation();
  const look = useSignal<ShownLook | undefined>(undefined);
  useEffect(() => {
    look.value = undefined;
  }, [run]);
  const asked = useMemo(() => {
    const { limit: _limit, ...others } = statement;
    return others as Types.SuggestCharts;
  }, [statement]);
  const hasRows = result.rows.length > 0;
  return (
    <div class="sql-result">
      <div class="sql-result-head">
        <Summary run={run} />
        <div class="actions">
          {hasRows && <Download statement={statement} name={name} isTruncated={result.truncated} />}
          {addToDashboard && (
            <Button
              isSmall
              icon="layout-dashboard"
              onClick={() => addToDashboard(query.view === 'chart' ? look.peek() : undefined)}
            >
              Add to dashboard
            </Button>
          )}
        </div>
      </div>
      {result.truncated && (
        <p class="sql-note">
          <Icon name="circle-alert" size={16} />
          <span>
            These are the first {counted(result.rows.length, 'row')}; there are more.
            {result.rows.length >= MAX_ROWS && ' Filter or aggregate in the statement to see the others.'}
          </span>
          {runFor && result.rows.length < MAX_ROWS && (
            <Button isSmall onClick={() => runFor(MAX_ROWS)}>
              Load up to {countOf(MAX_ROWS)}
            </Button>
          )}
        </p>
      )}
      {result.warnings.length > 0 && <Warnings warnings={result.warnings} />}
      <Tabs
        label="Views of the result"
        tabs={[
          { id: 'rows', label: 'Rows' },
          { id: 'chart', label: 'Chart' },
        ]}
        param="view"
      >
        {(view) => (view === 'rows' ? <Rows result={result} /> : <SuggestedCharts asked={asked} look={look} />)}
      </Tabs>
    </div>
  );
}

const Summary = ({ run: { result, ms } }: { run: Finished }) => (
  <p class="sql-summary" role="status">
    <strong>{counted(result.rows.length, 'row')}</strong>
    <span class="hint">
      {counted(result.columns.length, 'column')} · {durationOf(ms)}
      {result.isCached && (
        <>
          {' '}
          · computed <Ago at={result.asOf} />
        </>
      )}
    </span>
  </p>
);

function Rows({ result }: { result: ResultSet }) {
  const [cell, setCell] = useState<GridCell | undefined>(undefined);
  if (result.rows.length === 0) {
    return (
      <Empty icon="table" title="The statement returned no rows">
        It has {counted(result.columns.length, 'column')}: {result.columns.map(({ name }) => name).join(', ')}
      </Empty>
    );
  }
  return (
    <>
      <DataGrid label="Rows" columns={result.columns} rows={result.rows} onCell={setCell} />
      {cell && result.rows[cell.row] && <CellBar result={result} cell={cell} />}
    </>
  );
}

const WARNINGS: Readonly<Record<string, string>> = {
  NON_FINITE_AS_NULL: 'NaN and infinite values are shown as null.',
  IMPOSSIBLE_TIME_AS_NULL: 'Impossible dates and times are shown as null.',
};

const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <ul class="sql-note">
    {warnings.map((warning) => (
      <li key={warning}>{WARNINGS[warning] ?? warning}</li>
    ))}
  </ul>
);

const FILES: readonly [Format, string][] = [
  ['csv', 'CSV'],
  ['parquet', 'Parquet'],
  ['ndjson', 'JSON lines'],
];

function Download({ statement, name, isTruncated }: { statement: Statement; name: string; isTruncated: boolean }) {
  const download = useAction((format: Format) => downloadRows({ ...statement, limit: MAX_ROWS }, format, name));
  const offered = FILES.filter(([format]) => format !== 'parquet' || statement.sourceId === undefined);
  return (
    <>
      <Menu
        label="Download"
        isRight
        choices={[
          offered.map(([format, label]) => ({
            label,
            icon: 'download' as const,
            ...(isTruncated && { hint: `up to ${countOf(MAX_ROWS)} rows` }),
            run: () => void download.run(format),
          })),
        ]}
      >
        <Icon name="download" size={16} />
        Download
      </Menu>
      {download.isRunning && (
        <span class="hint" role="status">
          Preparing the file …
        </span>
      )}
      <Issue problem={download.problem} />
    </>
  );
}
