import { createHash } from 'node:crypto';
import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import { quoteIdentifier, quoteLiteral } from '../../../../../shared/data/duckdb/quoting.ts';
import { isShared } from '../../../../../shared/domains/pipelines/index.ts';

export interface AthenaInput {
  alias: string;
  columns: readonly Column[];
  /** Keys of its Parquet files. */
  files: readonly string[];
}

export interface QueryStatements {
  /** Each makes one input readable. */
  creates: string[];
  query: string;
  /** Names the query: told again, it is the same one, and not a second that writes beside it. */
  token: string;
  drops: string[];
  /** What the tables are made of: lists of files, by key. */
  manifests: { key: string; content: string }[];
}

/** Words of Athena's DDL for the types that both engines share. */
const TYPES: Record<string, string> = {
  string: 'string',
  integer: 'bigint',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
};

/** Where an attempt's rows are written, below the prefix of the attempt. */
export const rowsPrefix = (prefix: string) => `${prefix}/athena/rows/`;

/**
 * What Athena is told for one attempt: a table for each input, which lists exactly its files; the query, whose rows become Parquet files
 * below the attempt's own prefix; and the end of the tables. `sql` names the inputs by their aliases.
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

/** A list of files is a table of its own kind: the files of an input lie where others of its step do too. */
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
