import { copyFile, link, rm } from 'node:fs/promises';
import { DataError } from '../../platform/errors/data-error.ts';
import { engineTypeOf } from './column-types.ts';
import {
  type AttachOptions,
  type Engine,
  NATIVE_TABLE,
  type RelatedFiles,
  type Restriction,
  ROWS_TO_KEEP,
} from './engine-contract.ts';
import { NUMBER_OF_ROW, parquetSource } from './parquet-source.ts';
import { quoteIdentifier, quoteLiteral } from './quoting.ts';

/** Errors of file systems on which a file cannot be linked. */
const NO_LINK: ReadonlySet<string> = new Set(['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP']);

/** The tables of an engine that are stored in files. */
export class AttachedTables {
  /** Files are then linked to temporary paths, which are all that the engine may read. */
  isConfined = false;
  readonly #engine: Pick<Engine, 'run' | 'temporaryPath'>;
  readonly #readable = new Set<string>();
  #nativeCopies = 0;

  constructor(engine: Pick<Engine, 'run' | 'temporaryPath'>) {
    this.#engine = engine;
  }

  /** The files that have to stay readable. */
  get readable(): ReadonlySet<string> {
    return this.#readable;
  }

  /** For the next work, once the tables are dropped. */
  forget(): void {
    this.#readable.clear();
    this.isConfined = false;
  }

  async attach(name: string, parquetFiles: readonly string[], options: AttachOptions): Promise<void> {
    const table = quoteIdentifier(name);
    const { numbered, nativeCopy } = options;
    if (nativeCopy !== undefined) return this.#attachNative(table, nativeCopy, options.only);
    if (parquetFiles.length === 0) {
      if (!options.emptySchema?.length)
        throw new DataError('SCHEMA_MISMATCH', `Table "${name}" has no files and no columns.`);
      const empty = [...options.emptySchema, ...(numbered === undefined ? [] : [{ name: numbered, type: 'integer' }])];
      const columns = empty.map((column) => `${quoteIdentifier(column.name)} ${engineTypeOf(column.type)}`);
      await this.#engine.run(`CREATE OR REPLACE TABLE ${table} (${columns.join(', ')})`);
      if (options.only) await this.#keepOnly(table, table, options.only);
      return;
    }
    const paths = this.isConfined ? await Promise.all(parquetFiles.map((file) => this.#linkTo(file))) : parquetFiles;
    const files = parquetSource(paths);
    const source =
      numbered === undefined ? files : `(SELECT *, ${NUMBER_OF_ROW} AS ${quoteIdentifier(numbered)} FROM ${files})`;
    if (options.only) {
      await this.#keepOnly(table, source, options.only);
      if (this.isConfined) await Promise.all(paths.map((path) => rm(path)));
      return;
    }
    await this.#engine.run(`CREATE OR REPLACE VIEW ${table} AS SELECT * FROM ${source}`);
    if (!this.isConfined) for (const path of paths) this.#readable.add(path);
  }

  /**
   * The file can only be read. A restricted table is copied from it, and the file is detached before the lock, which
   * then denies access to it.
   */
  async #attachNative(table: string, path: string, only: Restriction | undefined): Promise<void> {
    this.#nativeCopies += 1;
    const database = quoteIdentifier(`#native_${this.#nativeCopies}`);
    await this.#engine.run(`ATTACH ${quoteLiteral(path)} AS ${database} (READ_ONLY)`).catch((cause: unknown) => {
      throw new DataError('FILE_UNREADABLE', 'The native copy of a table cannot be read.', { cause });
    });
    const source = `${database}.main.${quoteIdentifier(NATIVE_TABLE)}`;
    if (!only) {
      await this.#engine.run(`CREATE OR REPLACE VIEW ${table} AS SELECT * FROM ${source}`);
      return;
    }
    try {
      await this.#keepOnly(table, source, only);
    } finally {
      await this.#engine.run(`DETACH ${database}`);
    }
  }

  /** DuckDB resolves symbolic links before it checks a path, so these are hard links. */
  async #linkTo(file: string): Promise<string> {
    const path = this.#engine.temporaryPath('parquet');
    await link(file, path).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINK.has(error.code!)) throw error;
      return copyFile(file, path);
    });
    return path;
  }

  async #keepOnly(table: string, source: string, only: Restriction): Promise<void> {
    const names = only.columns?.map(quoteLiteral).join(', ');
    // Files may be older than a column.
    const columns = names === undefined ? '*' : `COLUMNS(column_name -> column_name IN (${names}))`;
    const where = only.where === undefined ? '' : ` WHERE ${only.where}`;
    const limit = only.limit === undefined ? '' : ` LIMIT ${only.limit}`;
    const rows = `${source} AS ${quoteIdentifier(ROWS_TO_KEEP)}`;
    const drop = await this.#attachRelated(only.related ?? []);
    try {
      const kept = `SELECT ${columns} FROM ${rows}${where}${limit}`;
      await this.#engine.run(`CREATE OR REPLACE TABLE ${table} AS ${kept}`, only.params);
    } finally {
      await drop();
    }
  }

  /** Returns what removes the tables again, with their files. */
  async #attachRelated(related: readonly RelatedFiles[]): Promise<() => Promise<void>> {
    const links: string[] = [];
    for (const { name, columns, files } of related) {
      const view = quoteIdentifier(name);
      const paths = this.isConfined ? await Promise.all(files.map((file) => this.#linkTo(file))) : files;
      if (this.isConfined) links.push(...paths);
      const typed = columns.map((column) => `NULL::${engineTypeOf(column.type)} AS ${quoteIdentifier(column.name)}`);
      // Files may be older than a column.
      const rows = paths.length > 0 ? ` UNION ALL BY NAME SELECT * FROM ${parquetSource(paths)}` : '';
      await this.#engine.run(`CREATE OR REPLACE VIEW ${view} AS (SELECT ${typed.join(', ')} LIMIT 0)${rows}`);
    }
    return async () => {
      for (const { name } of related) await this.#engine.run(`DROP VIEW IF EXISTS ${quoteIdentifier(name)}`);
      await Promise.all(links.map((path) => rm(path, { force: true })));
    };
  }
}
