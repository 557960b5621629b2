import { useEffect, useMemo, useReducer } from 'preact/hooks';
import { ApiError, api, type Types } from './client.ts';
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

/** The last read of the catalogue of a source. */
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

export interface Tables {
  items: readonly SourceTable[];
  isComplete: boolean;
  isLoading: boolean;
  error: unknown;
  more(): void;
  refresh(): void;
}

const PAGE = 200;

/** The tables of a schema whose names begin with a text, read page by page. */
export function useTables(sourceId: string, schema: string | undefined, prefix: string, enabled: boolean): Tables {
  const [, show] = useReducer((count: number) => count + 1, 0);
  const tables = useMemo(
    () => new LazyTables(sourceId, schema, prefix, () => show(undefined)),
    [sourceId, schema, prefix, uploads.value],
  );
  useEffect(() => {
    if (enabled) tables.more();
  }, [tables, enabled]);
  return tables;
}

class LazyTables implements Tables {
  items: readonly SourceTable[] = [];
  isComplete = false;
  isLoading = false;
  error: unknown;
  #after: string | undefined;
  readonly #sourceId: string;
  readonly #schema: string | undefined;
  readonly #prefix: string;
  readonly #show: () => void;

  constructor(sourceId: string, schema: string | undefined, prefix: string, show: () => void) {
    this.#sourceId = sourceId;
    this.#schema = schema;
    this.#prefix = prefix;
    this.#show = show;
    this.#after = justBefore(prefix);
  }

  more = (): void => {
    if (!this.isLoading && !this.isComplete && this.error === undefined) void this.#load();
  };

  refresh = (): void => {
    this.error = undefined;
    this.items = [];
    this.isComplete = false;
    this.#after = justBefore(this.#prefix);
    void this.#load();
  };

  async #load(): Promise<void> {
    this.isLoading = true;
    this.#show();
    try {
      const { items, next } = await api.dataSources.listTables(this.#sourceId, {
        limit: PAGE,
        ...(this.#schema !== undefined && { schema: this.#schema }),
        ...(this.#after !== undefined && { after: this.#after }),
      });
      const fitting = items.filter(({ name }) => name.startsWith(this.#prefix));
      // The name itself comes right after what is before it, unless a longer one was between them.
      this.items = [...this.items, ...fitting];
      const isBeyond =
        items.length > 0 && !items.at(-1)!.name.startsWith(this.#prefix) && items.at(-1)!.name > this.#prefix;
      this.isComplete = next === null || isBeyond;
      this.#after = next ?? undefined;
    } catch (error) {
      this.error = error;
    } finally {
      this.isLoading = false;
      this.#show();
    }
  }
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
