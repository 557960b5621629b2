import { useCallback, useRef, useState } from 'preact/hooks';
import type { ShownLook } from '../../data/dashboard-cards.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import { MAX_ROWS } from '../../data/sql.ts';
import { AddToDashboard } from '../../shell/add-to-dashboard.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Issue } from '../../ui/states.tsx';
import { useCatalog, useDatabases } from './catalog.ts';
import type { Database } from './dialects.ts';
import { EditorBox } from './editor-box.tsx';
import type { SqlEditor } from './editor-view.ts';
import { FailedRun } from './failed-run.tsx';
import { keepRun, type Past } from './history.ts';
import { useLiveCheck } from './live-check.ts';
import { ParameterFields } from './parameter-fields.tsx';
import { castParameters, valuesOf } from './parameters.ts';
import { Result } from './result.tsx';
import { Running } from './running.tsx';
import { cancelRun, forgetRun, runOf, startRun } from './runs.ts';
import { SaveBar } from './save-bar.tsx';
import { openSaved, savedIdOf } from './saved.ts';
import { Side } from './side.tsx';
import { parametersOf, titleOf } from './statements.ts';
import { closeTab, labelOf, TabStrip } from './tab-strip.tsx';
import type { Tabs } from './tabs.ts';
import { Toolbar } from './toolbar.tsx';
import { useParameterNames } from './use-parameter-names.ts';

/** Tabs of statements, with their results below, and tables beside. */
export function Pad({ owner, tabs }: { owner: string; tabs: Tabs }) {
  const editor = useRef<SqlEditor | undefined>(undefined);
  const tab = tabs.current;
  const run = runOf(tab.id).value;
  const databases = useDatabases();
  const database: Database =
    tab.sourceId === null
      ? 'datasets'
      : ((databases.data?.find(({ id }) => id === tab.sourceId)?.type ?? 'postgres') as Database);
  const catalog = useCatalog(tab.sourceId);
  const names = useParameterNames(tabs, tab.id);
  const [adding, setAdding] = useState<{ look: ShownLook | undefined } | undefined>(undefined);

  const start = useCallback(
    async ({ isJob = false, limit }: { isJob?: boolean; limit?: number } = {}) => {
      const { id, sourceId, params, limit: chosen } = tabs.current;
      const text = tabs.textOf(id);
      const range = editor.current?.wanted();
      if (!range) return;
      if (limit !== undefined) tabs.change(id, { limit });
      const written = text.slice(range.from, range.to);
      const { sql, placeOf } = castParameters(written, params, database);
      const statement = {
        sql,
        limit: limit ?? chosen,
        ...(sourceId !== null && { sourceId }),
        ...(parametersOf(written).length > 0 && { params: valuesOf(parametersOf(written), params) }),
      };
      editor.current?.mark([]);
      const ended = await startRun(id, { statement, written, origin: { text, from: range.from, placeOf }, isJob });
      if (ended.step === 'failed' && tabs.current.id === id) editor.current?.mark(ended.problem.places);
      if (ended.step === 'cancelled' || ended.step === 'none' || ended.step === 'running') return;
      keepRun(owner, {
        sql: written,
        sourceId,
        at: new Date().toISOString(),
        ms: Math.round(ended.ms),
        ...(ended.step === 'done'
          ? { rows: ended.result.rows.length }
          : { error: ended.problem.code ?? ended.problem.sentence }),
      });
    },
    [tabs, owner, database],
  );
  useLiveCheck({ tabs, editor, database, tab });
  useShortcut('Ctrl Enter', 'Run the statement or the selection', () => void start());
  const close = (id: string) => {
    forgetRun(id);
    editor.current?.forget(id);
    closeTab(tabs, id);
  };
  const openPast = ({ sql, sourceId }: Past) => void tabs.add({ sql, sourceId });
  const title =
    tab.name.trim() ||
    (run.step === 'done'
      ? titleOf(run.written, run.result.columns)
      : labelOf(
          '',
          tabs.all.value.findIndex(({ id }) => id === tab.id),
        ));
  return (
    <Page title="SQL">
      <div class="sql">
        <div class="sql-main">
          <TabStrip tabs={tabs} close={close} />
          <div class="sql-pad" id="sql-pad" role="tabpanel" aria-labelledby={`tab-${tab.id}`}>
            <div class="sql-bar">
              <Toolbar
                tab={tab}
                tabs={tabs}
                databases={databases.data}
                isRunning={run.step === 'running'}
                run={() => void start()}
                cancel={() => cancelRun(tab.id)}
              />
              <SaveBar
                key={tab.id}
                tabs={tabs}
                tab={tab}
                editor={editor}
                suggestedName={title}
                close={() => close(tab.id)}
              />
            </div>
            {!databases.data && databases.error && (
              <NoDatabases problem={problemOf(databases.error)} retry={databases.refresh} />
            )}
            <EditorBox tabs={tabs} editor={editor} database={database} tables={catalog.data} run={() => void start()} />
            {names.length > 0 && (
              <ParameterFields
                names={names}
                fields={tab.params}
                change={(name, field) => tabs.change(tab.id, { params: { ...tab.params, [name]: field } })}
              />
            )}
            <section class="sql-outcome" aria-label="Result">
              {run.step === 'none' && <FirstSteps example={catalog.data?.[0]?.name} />}
              {run.step === 'running' && <Running run={run} />}
              {run.step === 'cancelled' && <p class="hint">Cancelled. Nothing is shown.</p>}
              {run.step === 'failed' && (
                <FailedRun
                  run={run}
                  goTo={(place) => editor.current?.goTo(place)}
                  runAsJob={() => void start({ isJob: true })}
                  retry={() => void start()}
                />
              )}
              {run.step === 'done' && (
                <Result
                  key={tab.id}
                  run={run}
                  name={title}
                  runFor={(limit) => void start({ limit: Math.min(limit, MAX_ROWS) })}
                  addToDashboard={(look) => setAdding({ look })}
                />
              )}
            </section>
          </div>
        </div>
        <Side
          owner={owner}
          catalog={catalog}
          sourceId={tab.sourceId}
          insert={(name, schema, isTable) => editor.current?.insert(name, schema, isTable)}
          openSaved={(query) => openSaved(tabs, query)}
          openPast={openPast}
        />
      </div>
      {adding && run.step === 'done' && (
        <AddToDashboard
          title={title}
          look={adding.look}
          hint={`The statement is saved as the query “${title}”. The card shows the rows that each reader may see.`}
          content={async () => ({ savedQueryId: await savedIdOf(tabs, run.written, title) })}
          close={() => setAdding(undefined)}
        />
      )}
    </Page>
  );
}

const FirstSteps = ({ example }: { example: string | undefined }) => (
  <p class="hint sql-first">
    {example === undefined
      ? 'Results appear here.'
      : 'Write a statement and press Ctrl Enter, or choose a table. Results appear here.'}
  </p>
);

/** Statements over datasets run without the list of databases. */
function NoDatabases({ problem, retry }: { problem: Problem; retry: () => void }) {
  if (problem.kind === 'unlicensed') return null;
  const sentence = `The console could not list the databases. ${problem.sentence}`;
  return (
    <div class="sql-no-databases">
      <Issue problem={{ ...problem, sentence }} />
      <Button icon="rotate-ccw" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
