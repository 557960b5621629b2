import type { StepType } from '../../../shared/domains/pipelines/definition/index.ts';

const SOURCE_ID = '019b2c6b-0d41-7c22-8d97-7e6f5a4b3c07';

/** An example of each step configuration, by step type and component name. */
export const CONFIG_EXAMPLES: Record<StepType, Record<string, Record<string, unknown>>> = {
  extract: {
    ExtractFileConfig: {
      sourceId: SOURCE_ID,
      object: { path: 'sales/2026-01.csv', format: 'csv', options: { delimiter: ';' } },
      filter: 'amount > 10',
    },
    ExtractTableConfig: {
      sourceId: SOURCE_ID,
      object: { schema: 'public', table: 'orders' },
      mode: 'incremental',
      incremental: { cursorColumn: 'updated_at', primaryKey: ['id'], lagSeconds: 60 },
    },
    ExtractQueryConfig: { sourceId: SOURCE_ID, object: { query: 'SELECT id, amount FROM orders WHERE amount > 10' } },
    ExtractStreamConfig: {
      sourceId: SOURCE_ID,
      object: { stream: 'shop', table: 'public.orders' },
      mode: 'incremental',
    },
    ExtractDatasetConfig: { object: { dataset: 'orders' }, columns: ['id', 'amount'], filter: 'amount > 10' },
  },
  transform_sql: {
    SqlConfig: {
      inputs: { o: 'orders', c: 'customers' },
      sql: 'SELECT o.id, c.country, o.amount FROM o JOIN c ON c.id = o.customer_id',
    },
    RecipeConfig: {
      inputs: { orders: 'orders' },
      ops: [
        { op: 'filter', condition: 'amount IS NOT NULL' },
        { op: 'derive', column: 'gross', expression: 'round(amount * 1.19, 2)' },
      ],
    },
  },
  transform_code: {
    TransformCodeConfig: {
      code: "function transform(rows, { env }) {\n  return rows.map((row) => ({ id: row.id, grade: Number(row.amount) >= Number(env.LIMIT) ? 'A' : 'B' }));\n}",
      env: { LIMIT: '100' },
      outputSchema: [
        { name: 'id', type: 'integer' },
        { name: 'grade', type: 'string' },
      ],
    },
  },
  route: {
    RouteConfig: {
      mode: 'first_match',
      routes: [{ port: 'large', condition: 'amount >= 100' }],
      defaultPort: 'small',
    },
  },
  load: {
    AppendToDatasetConfig: { target: { kind: 'dataset', name: 'orders' }, mode: 'append' },
    OverwriteDatasetConfig: { target: { kind: 'dataset', name: 'orders' }, mode: 'overwrite', scope: 'partition' },
    MergeIntoDatasetConfig: {
      target: { kind: 'dataset', name: 'orders' },
      mode: 'merge',
      mergeKey: ['id'],
      strategy: 'upsert',
      dedupeOrderBy: [{ column: 'updated_at', direction: 'desc' }],
      gates: [{ id: 'has-id', type: 'not_null', column: 'id', action: 'quarantine' }],
    },
    AppendToTableConfig: { target: { kind: 'table', sourceId: SOURCE_ID, table: 'orders' }, mode: 'append' },
    OverwriteTableConfig: {
      target: { kind: 'table', sourceId: SOURCE_ID, schema: 'reporting', table: 'orders', partitionBy: ['month'] },
      mode: 'overwrite',
      scope: 'partition',
    },
    MergeIntoTableConfig: {
      target: { kind: 'table', sourceId: SOURCE_ID, table: 'orders' },
      mode: 'merge',
      mergeKey: ['id'],
    },
    AppendFilesConfig: {
      target: { kind: 'files', sourceId: SOURCE_ID, path: 'exports/orders', format: 'parquet', partitionBy: ['month'] },
      mode: 'append',
    },
    OverwriteFilesConfig: {
      target: { kind: 'files', sourceId: SOURCE_ID, path: 'exports/orders', format: 'csv' },
      mode: 'overwrite',
    },
  },
};
