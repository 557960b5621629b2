import { api } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';

/** Wide rows can be too large for a reply, which fewer of them are not. */
const LIMITS = [200, 20, 2];

async function preview(id: string) {
  for (const limit of LIMITS) {
    try {
      return await api.datasets.preview(id, { limit });
    } catch (error) {
      const isLast = limit === LIMITS.at(-1);
      if (isLast || problemOf(error).code !== 'RESULT_TOO_LARGE') throw error;
    }
  }
  return undefined;
}

/** The first rows. */
export function Rows({ dataset: { id, version, rowCount } }: { dataset: Dataset }) {
  const { data, error, refresh } = useQuery(['datasets', id, 'preview', version], () => preview(id));
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={10} />;
  if (data.version === 0) {
    return (
      <Empty icon="clock" title="There are no rows yet">
        They appear once the first import has finished.
      </Empty>
    );
  }
  if (data.rows.length === 0) {
    return (
      <Empty icon="table" title="There are no rows to show">
        The dataset has {counted(rowCount, 'row')}, of which you see none.
      </Empty>
    );
  }
  return (
    <>
      <DataGrid label="Rows" columns={data.columns} rows={data.rows} />
      {data.truncated && (
        <p class="hint">
          The first {countOf(data.rows.length)} of {counted(rowCount, 'row')}.
        </p>
      )}
    </>
  );
}
