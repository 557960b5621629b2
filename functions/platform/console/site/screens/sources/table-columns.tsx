import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import type { Source, SourceTable } from '../../data/sources.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';

interface TableColumnsProps {
  source: Source;
  table: SourceTable;
  close(): void;
}

/** What a table has, before it is imported. */
export function TableColumns({ source: { id }, table: { schema, name }, close }: TableColumnsProps) {
  const { data, error, refresh } = useQuery(['sources', id, 'columns', schema, name], () =>
    api.dataSources.listColumns(id, { ...(schema && { schema }), table: name }),
  );
  return (
    <Dialog title={name} close={close}>
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />)}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keyboard.
        <ul class="used columns" tabIndex={0} aria-label={`Columns of ${name}`}>
          {data.items.map(({ name: column, type, sourceType, primaryKey, nullable }) => (
            <li key={column}>
              {column} <code>{type}</code>
              <span class="hint">
                {[sourceType !== type && sourceType, primaryKey && 'primary key', nullable === false && 'not null']
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
