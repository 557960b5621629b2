import { SAMPLE } from '../../../../infra/docs/expression-guide.ts';
import type { DataType, Scope } from '../../../../shared/data/expressions/index.ts';

const SQL_TYPES: Record<string, string> = {
  integer: 'BIGINT',
  string: 'VARCHAR',
  decimal: 'DECIMAL(18, 2)',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMPTZ',
};

const columns = SAMPLE.columns.map((name, index) => `"${name}" ${SQL_TYPES[SAMPLE.types[index]!]}`);
const rows = SAMPLE.rows.map((row) => `(${row.map((value) => (value === 'null' ? 'NULL' : `'${value}'`)).join(', ')})`);

/** The table of the guide. */
export const CREATE_SAMPLE = `CREATE TABLE orders (${columns.join(', ')});\nINSERT INTO orders VALUES ${rows.join(', ')}`;

export const SAMPLE_SCOPE: Scope = {
  tables: [
    {
      id: 'orders',
      alias: 'orders',
      fields: SAMPLE.columns.map((name, index) => ({ id: name, name, dataType: SAMPLE.types[index] as DataType })),
    },
  ],
  measures: [],
};
