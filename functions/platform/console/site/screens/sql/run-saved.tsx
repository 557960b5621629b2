import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { counted } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty, Issue } from '../../ui/states.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { boundValue, fieldOf } from './parameters.ts';
import { fieldsOf, type SavedQuery } from './saved.ts';

const LIMIT = 10_000;

/** Runs a saved query with values of its parameters. */
export function RunSaved({ query }: { query: SavedQuery }) {
  const fields = useSignal(fieldsOf(query));
  const result = useSignal<Types.QueryResult | undefined>(undefined);
  const names = query.params.map(({ name }) => name);
  const run = useAction(async () => {
    const params = Object.fromEntries(names.map((name) => [name, boundValue(fieldOf(fields.peek(), name))]));
    result.value = (await api.savedQueries.run(query.id, { params, limit: LIMIT })) as Types.QueryResult;
  });
  const start = () => void run.run();
  useShortcut('Ctrl Enter', 'Run the query', start);
  const rows = result.value?.rows;
  return (
    <Page
      title={query.name}
      lead={query.description}
      actions={
        <Button look="main" icon="play" isBusy={run.isRunning} onClick={start}>
          Run
        </Button>
      }
    >
      {names.length > 0 && (
        <ParameterFields
          names={names}
          fields={fields.value}
          hasFixedTypes
          change={(name, field) => {
            fields.value = { ...fields.value, [name]: field };
          }}
        />
      )}
      <details>
        <summary>Statement</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls. */}
        <pre class="sql-theirs" tabIndex={0}>
          {query.sql}
        </pre>
      </details>
      <Issue problem={run.problem} />
      {rows?.length === 0 && <Empty icon="table" title="The query returned no rows" />}
      {rows && rows.length > 0 && (
        <>
          <p class="hint" role="status">
            {result.value!.truncated
              ? `The first ${counted(rows.length, 'row')}; there are more`
              : counted(rows.length, 'row')}
          </p>
          <DataGrid label="Rows" columns={result.value!.columns} rows={rows} />
        </>
      )}
    </Page>
  );
}
