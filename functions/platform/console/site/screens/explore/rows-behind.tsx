import { api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Failed, Loading } from '../../ui/states.tsx';

interface RowsBehindProps {
  modelId: string;
  title: string;
  body: Types.RowsBehind;
  close(): void;
}

/** The rows that a number was computed from. */
export function RowsBehind({ modelId, title, body, close }: RowsBehindProps) {
  const { data, error, refresh } = useQuery(['explore', modelId, 'drill', body], () => api.models.drill(modelId, body));
  return (
    <Dialog title={title} close={close}>
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />)}
      {data && (
        <>
          <p class="hint">
            {data.truncated
              ? `The first ${counted(data.rows.length, 'row')}; there are more.`
              : counted(data.rows.length, 'row')}
          </p>
          <DataGrid label="Rows behind the number" columns={data.columns} rows={data.rows} />
        </>
      )}
    </Dialog>
  );
}
