import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import type { List } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { importTable, type Source, type SourceTable, useTables } from '../../data/sources.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { fieldsOf, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { TableColumns } from './table-columns.tsx';

const keyOf = ({ schema, name }: SourceTable): string => `${schema}/${name}`;

/** The tables or files of the source, of which some become datasets. */
export function Tables({ source }: { source: Source }) {
  const { id, type } = source;
  const isDatabase = type === 'postgres' || type === 'mysql';
  const schemas = useQuery(['sources', id, 'schemas'], () => api.dataSources.listSchemas(id), { enabled: isDatabase });
  const names = schemas.data?.items.map(({ name }) => name) ?? [];
  const [chosen, setSchema] = useState<string | undefined>(undefined);
  const schema = chosen ?? (names.includes('public') ? 'public' : names[0]);
  const [prefix, setPrefix] = useState('');
  const tables = useTables(id, isDatabase ? schema : undefined, prefix, !isDatabase || schema !== undefined);
  const canImport = hasRole(useMe().data, 'editor');
  const picked = useSignal<ReadonlyMap<string, SourceTable>>(new Map());
  const [looked, lookAt] = useState<SourceTable | undefined>(undefined);
  const error = schemas.error ?? (tables.items ? null : tables.error);
  const retry = () => {
    if (schemas.error) schemas.refresh();
    else tables.refresh();
  };
  const what = isDatabase ? 'table' : type === 'http' ? 'endpoint' : 'file';
  return (
    <>
      <div class="tools">
        <SearchField label={`Find ${what}s that begin with`} value={prefix} onSearch={setPrefix} />
        {names.length > 1 && (
          <SelectField
            label="Schema"
            value={schema ?? ''}
            onChange={({ currentTarget }) => setSchema(currentTarget.value)}
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {error ? (
        <Failed problem={problemOf(error)} retry={retry} />
      ) : (
        <Found
          what={what}
          prefix={prefix}
          tables={tables}
          isNone={names.length === 0 && schemas.data !== undefined}
          columns={columnsOf({ picked: canImport ? picked : undefined, lookAt })}
        />
      )}
      {canImport && picked.value.size > 0 && (
        <Import key={id} source={source} tables={[...picked.value.values()]} what={what} />
      )}
      {looked && <TableColumns source={source} table={looked} close={() => lookAt(undefined)} />}
    </>
  );
}

interface FoundProps {
  what: string;
  prefix: string;
  tables: List<SourceTable>;
  /** There is no schema that could have tables. */
  isNone: boolean;
  columns: readonly Column<SourceTable>[];
}

function Found({ what, prefix, tables, isNone, columns }: FoundProps) {
  const { items = isNone ? [] : undefined, hasMore } = tables;
  if (!items) return <Loading rows={8} />;
  if (items.length === 0) {
    return <Empty icon="table" title={prefix ? `No ${what} begins with “${prefix}”` : `There is no ${what} here`} />;
  }
  return (
    <>
      <Table label={`${what}s`} columns={columns} list={tables} keyOf={keyOf} />
      <p class="hint">
        {counted(items.length, what)}
        {hasMore ? ' so far; scroll for more' : ''}
      </p>
    </>
  );
}

interface ColumnsOf {
  picked: { value: ReadonlyMap<string, SourceTable>; peek(): ReadonlyMap<string, SourceTable> } | undefined;
  lookAt(table: SourceTable): void;
}

function columnsOf({ picked, lookAt }: ColumnsOf): readonly Column<SourceTable>[] {
  const toggle = (table: SourceTable) => {
    const next = new Map(picked!.peek());
    if (!next.delete(keyOf(table))) next.set(keyOf(table), table);
    picked!.value = next;
  };
  return [
    ...(picked
      ? [
          {
            id: 'pick',
            label: 'Import',
            width: '84px',
            cell: (table: SourceTable) => (
              <input
                type="checkbox"
                aria-label={`Import ${table.name}`}
                checked={picked.value.has(keyOf(table))}
                onChange={() => toggle(table)}
              />
            ),
          },
        ]
      : []),
    { id: 'name', label: 'Name', cell: (table) => <span title={table.name}>{table.name}</span> },
    { id: 'kind', label: 'Kind', isMinor: true, width: '170px', cell: ({ kind }) => kind.replaceAll('_', ' ') },
    {
      id: 'columns',
      label: 'Columns',
      width: '110px',
      cell: (table) => (
        <Button isSmall onClick={() => lookAt(table)} aria-label={`Show the columns of ${table.name}`}>
          Show
        </Button>
      ),
    },
  ];
}

interface ImportProps {
  source: Source;
  tables: readonly SourceTable[];
  what: string;
}

/** Makes datasets of the chosen tables, refreshed when the schedule says. */
function Import({ source, tables, what }: ImportProps) {
  const { route } = useLocation();
  const fields = useSignal(fieldsOf(null, homeZone()));
  const done = useSignal<ReadonlySet<string>>(new Set());
  const start = useAction(async () => {
    const schedule = scheduleOf(fields.peek());
    let last = '';
    // One after the other: after a failure, only what is left is imported again.
    for (const table of tables) {
      if (done.peek().has(keyOf(table))) continue;
      last = (await importTable(source, table, schedule)).id;
      done.value = new Set([...done.peek(), keyOf(table)]);
    }
    await refreshQueries(['datasets']);
    route(to(tables.length === 1 ? `/datasets/${last}` : '/datasets'));
  });
  return (
    <form
      class="import"
      aria-label="Import"
      onSubmit={(event) => {
        event.preventDefault();
        void start.run();
      }}
    >
      <ScheduleFields value={fields} />
      <Button type="submit" look="main" isBusy={start.isRunning}>
        Import {counted(tables.length, what)}
      </Button>
      {done.value.size > 0 && <p class="hint">{counted(done.value.size, what)} imported</p>}
      <Issue problem={start.problem} />
    </form>
  );
}
