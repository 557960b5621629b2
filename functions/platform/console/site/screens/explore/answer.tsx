import { useSignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import type { ShownLook } from '../../data/dashboard-cards.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { AddToDashboard } from '../../shell/add-to-dashboard.tsx';
import { SuggestedCharts } from '../../shell/suggested-charts.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid, type GridCell } from '../../ui/data-grid.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { Compiled } from './compiled.tsx';
import { type Question, titleOf } from './question.ts';
import { RowRights } from './row-rights.tsx';
import { RowsBehind } from './rows-behind.tsx';

interface AnswerProps {
  model: Types.ModelDetails;
  question: Question;
}

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The answer as a chart and as a table, and the SQL for those who may see it. */
export function Answer({ model, question }: AnswerProps) {
  const { query } = useLocation();
  const me = useMe().data;
  const look = useSignal<ShownLook | undefined>(undefined);
  const [isAdding, setAdding] = useState(false);
  const timezone = me?.timezone ?? TIME_ZONE;
  const chart: Types.ChartQuery = useMemo(
    () => ({ source: { kind: 'model', id: model.id }, ...question }) as Types.ChartQuery,
    [model.id, question],
  );
  const asked = useMemo(() => ({ query: chart, timezone }), [chart, timezone]);
  const answer = useQuery(
    ['explore', model.id, 'answer', question, timezone],
    () => api.models.ask(model.id, { ...question, timezone } as Types.AskModel),
    { keepsLast: true },
  );
  const { data, error } = answer;
  if (error) return <Failed problem={problemOf(error)} retry={answer.refresh} />;
  if (!data) return <Loading rows={8} />;
  const title = titleOf(question);
  const canAdd = hasRole(me, 'editor');
  const tabs: Tab[] = [
    { id: 'chart', label: 'Chart' },
    { id: 'table', label: 'Table' },
    ...(model.permission === 'editor' ? [{ id: 'sql', label: 'SQL' }] : []),
  ];
  return (
    <section class="explore-answer" aria-label="Answer">
      <div class="explore-answer-head">
        <Summary answer={data} isRefreshing={answer.isRefreshing} />
        {canAdd && data.rows.length > 0 && (
          <Button isSmall icon="layout-dashboard" onClick={() => setAdding(true)}>
            Add to dashboard
          </Button>
        )}
      </div>
      <RowRights modelId={model.id} />
      <Tabs label="Views of the answer" tabs={tabs} param="view">
        {(view) => (
          <>
            {view === 'sql' && <Compiled modelId={model.id} question={question} timezone={timezone} />}
            {view !== 'sql' && data.rows.length === 0 && <NoRows />}
            {view === 'chart' && data.rows.length > 0 && <SuggestedCharts asked={asked} look={look} />}
            {view === 'table' && data.rows.length > 0 && (
              <Rows model={model} question={question} answer={data} timezone={timezone} />
            )}
          </>
        )}
      </Tabs>
      {isAdding && (
        <AddToDashboard
          title={title}
          look={query.view === undefined ? look.peek() : undefined}
          hint="The card asks the model again for each reader, with the rows that they may see."
          content={async () => ({ query: chart })}
          close={() => setAdding(false)}
        />
      )}
    </section>
  );
}

const NoRows = () => (
  <Empty icon="table" title="No rows match">
    Remove a filter, or choose other values.
  </Empty>
);

const Summary = ({ answer, isRefreshing }: { answer: Types.Answer; isRefreshing: boolean }) => (
  <p role="status">
    <strong>{counted(answer.rows.length, 'row')}</strong>{' '}
    <span class="hint">
      {isRefreshing ? 'Asking again …' : `Times are in ${answer.timezone}.`}
      {answer.truncated && ` These are the first ${countOf(answer.rows.length)}; there are more.`}
      {answer.tiesCut && ' The next row ties with the last one.'}
      {answer.warnings.length > 0 && ` ${answer.warnings.join(' ')}`}
    </span>
  </p>
);

interface RowsProps extends AnswerProps {
  answer: Types.Answer;
  timezone: string;
}

/** The rows; a number leads to the rows that it is computed from. */
function Rows({ model, question, answer, timezone }: RowsProps) {
  const [cell, setCell] = useState<GridCell | undefined>(undefined);
  const [isOpen, open] = useState(false);
  const columns = useMemo(() => answer.columns.map(({ name, type }) => ({ name, type: gridType(type) })), [answer]);
  const column = cell && answer.columns[cell.column];
  const row = cell && answer.rows[cell.row];
  const canDrill = cell && row && column?.role === 'measure';
  return (
    <>
      <DataGrid label="Rows of the answer" columns={columns} rows={answer.rows} onCell={setCell} />
      {canDrill && (
        <p class="explore-cell" role="status">
          {column.name}: <strong>{String(row[cell.column] ?? 'null')}</strong>
          <Button isSmall onClick={() => open(true)}>
            See the rows behind
          </Button>
        </p>
      )}
      {isOpen && canDrill && (
        <RowsBehind
          modelId={model.id}
          title={`${column.name}: ${row[cell.column] ?? 'null'}`}
          body={{
            dimensions: question.dimensions,
            values: row.slice(0, question.dimensions.length) as (string | number | boolean | null)[],
            measure: question.measures[cell.column - question.dimensions.length]!,
            filters: question.filters as Types.RowsBehind['filters'],
            timezone,
          }}
          close={() => open(false)}
        />
      )}
    </>
  );
}

/** Types of models as those of grids, which are those of datasets. */
const gridType = (type: string): string => (type === 'number' ? 'double' : type);
