import { createHash } from 'node:crypto';
import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import { quoteIdentifier, quoteLiteral } from '../../../../../shared/data/duckdb/quoting.ts';
import { isShared } from '../../../../../shared/domains/pipelines/definition/index.ts';

export interface AthenaInput {
  alias: string;
  columns: readonly Column[];
  /** Keys of the input's Parquet files. */
  files: readonly string[];
}

export interface QueryStatements {
  /** One statement per input, which creates its table. */
  creates: string[];
  query: string;
  /** Identifies the query, so that a repeated request does not start a second one. */
  token: string;
  drops: string[];
  /** The lists of files that the tables consist of, by key. */
  manifests: { key: string; content: string }[];
}

/** The names in Athena's DDL of the types that both engines share. */
const TYPES: Record<string, string> = {
  string: 'string',
  integer: 'bigint',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
};

/** The place for the rows of an attempt, below the attempt's prefix. */
export const rowsPrefix = (prefix: string) => `${prefix}/athena/rows/`;

/**
 * The statements of one attempt: create a table per input that lists exactly its files, write the rows of the query as
 * Parquet below the attempt's prefix, and drop the tables. `sql` refers to the inputs by alias.
 */
export function queryStatements(
  { database, bucket, prefix }: { database: string; bucket: string; prefix: string },
  inputs: readonly AthenaInput[],
  sql: string,
): QueryStatements {
  const tables = inputs.map((input, index) => {
    const name = `rows_${createHash('sha256').update(`${prefix}/${index}`).digest('hex').slice(0, 40)}`;
    return { ...input, name, shared: input.columns.filter(isShared), place: `${prefix}/athena/inputs/${index}/` };
  });
  const named = tables.map(({ alias, name, shared }) => {
    const columns = shared.map((column) => quoteIdentifier(column.name)).join(', ');
    return `${quoteIdentifier(alias)} AS (SELECT ${columns} FROM "${database}"."${name}")`;
  });
  const withClause = named.length > 0 ? `WITH ${named.join(', ')} ` : '';
  const target = quoteLiteral(`s3://${bucket}/${rowsPrefix(prefix)}`);
  return {
    creates: tables.map(({ name, shared, place }) =>
      createTable(`\`${database}\`.\`${name}\``, shared, `s3://${bucket}/${place}`),
    ),
    token: createHash('sha256').update(`${prefix}/query`).digest('hex'),
    query: `UNLOAD (${withClause}${sql}) TO ${target} WITH (format = 'PARQUET', compression = 'ZSTD')`,
    drops: tables.map(({ name }) => `DROP TABLE IF EXISTS \`${database}\`.\`${name}\``),
    manifests: tables.map(({ place, files }) => ({
      key: `${place}files`,
      content: files.map((key) => `s3://${bucket}/${key}\n`).join(''),
    })),
  };
}

/** A table over a list of files, because the files of an input share a folder with others of its step. */
function createTable(name: string, columns: readonly Column[], location: string): string {
  const list = columns.map((column) => `\`${column.name}\` ${TYPES[column.type] ?? column.type}`).join(', ');
  return (
    `CREATE EXTERNAL TABLE IF NOT EXISTS ${name} (${list})` +
    " ROW FORMAT SERDE 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'" +
    " STORED AS INPUTFORMAT 'org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat'" +
    " OUTPUTFORMAT 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat'" +
    ` LOCATION ${quoteLiteral(location)}`
  );
}
