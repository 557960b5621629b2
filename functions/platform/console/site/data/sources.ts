import { ApiError, api, type Types } from './client.ts';
import { type List, useList } from './list.ts';
import { useQuery } from './query.ts';
import { uploads } from './upload.ts';

export type Source = Types.DataSource;
export type SourceType = Source['type'];

export const SOURCE_TYPES: Readonly<Record<string, string>> = {
  file: 'Files',
  postgres: 'Postgres',
  mysql: 'MySQL or MariaDB',
  s3: 'S3 bucket',
  http: 'Web service',
};

const EVERY_MS = 15_000;

export const useSource = (id: string) => useQuery(['sources', id], () => api.dataSources.get(id));

/** The last read of the catalog of a source. */
export const useLastSync = (id: string) =>
  useQuery(
    ['sources', id, 'last-sync'],
    async () => (await api.dataSources.listHistory(id, { limit: 1 })).items[0] ?? null,
    { everyMs: EVERY_MS },
  );

/** Where the source is, in one line. */
export function addressOfSource({ type, config }: Source): string {
  const { host, port, database, bucket, prefix, baseUrl } = config as Record<string, string | number | undefined>;
  if (type === 's3') return `${bucket}${prefix ? `/${prefix}` : ''}`;
  if (type === 'http') return String(baseUrl);
  return host === undefined ? '' : `${host}:${port}/${database}`;
}

export type SourceTable = Types.SourceTable;

const PAGE = 200;

/** The tables of a schema whose names begin with a text. */
export function useTables(
  sourceId: string,
  schema: string | undefined,
  prefix: string,
  enabled: boolean,
): List<SourceTable> {
  return useList<SourceTable>(
    ['sources', sourceId, 'tables', schema, prefix, uploads.value],
    async ({ limit, cursor = justBefore(prefix) }) => {
      const { items, next } = await api.dataSources.listTables(sourceId, {
        limit,
        ...(schema !== undefined && { schema }),
        ...(cursor !== undefined && { after: cursor }),
      });
      const last = items.at(-1)?.name;
      // The name itself comes right after what is before it, unless a longer one was between them.
      const isBeyond = last !== undefined && !last.startsWith(prefix) && last > prefix;
      return { items: items.filter(({ name }) => name.startsWith(prefix)), nextCursor: isBeyond ? null : next };
    },
    { enabled, limit: PAGE },
  );
}

/** The greatest name that is certainly before all names with the prefix; names are listed by their bytes. */
function justBefore(prefix: string): string | undefined {
  if (prefix === '') return undefined;
  const last = prefix.codePointAt(prefix.length - 1)!;
  const head = prefix.slice(0, -1);
  return last <= 0x20 ? head || undefined : head + String.fromCodePoint(last - 1);
}

const MAX_TRIES = 50;

/** A dataset of a table or a file, under its name or the next free one. Its first import runs. */
export async function importTable(
  source: Source,
  { schema, name }: SourceTable,
  schedule: Types.Schedule | undefined,
): Promise<Types.CreatedDataset> {
  const isFile = source.type === 'file' || source.type === 's3';
  const from: Types.DatasetSource = isFile
    ? { kind: 'file', sourceId: source.id, path: name }
    : { kind: 'table', sourceId: source.id, ...(schema && { schema }), table: name };
  const base = isFile
    ? name
        .split('/')
        .at(-1)!
        .replace(/(\.gz)?$/i, '')
        .replace(/\.[a-z]+$/i, '') || name
    : name;
  for (let count = 1; ; count += 1) {
    try {
      return await api.datasets.create({
        name: count === 1 ? base : `${base} ${count}`,
        source: from,
        ...(schedule?.cron !== undefined || schedule?.everySeconds !== undefined ? { schedule } : {}),
      });
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'DATASET_NAME_TAKEN';
      if (!isTaken || count === MAX_TRIES) throw error;
    }
  }
}
