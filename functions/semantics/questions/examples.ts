import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const question = {
  dimensions: [{ fieldId: IDS.modelField, grain: 'month' }],
  measures: [{ measureId: IDS.measure }],
  filters: [{ fieldId: IDS.modelField, op: 'prev', values: [2, 'month'] }],
  sort: [{ column: 'Revenue', direction: 'desc' }],
};

const columns = [
  { name: 'placed (month)', role: 'dimension', type: 'date', format: null, fieldId: IDS.modelField, grain: 'month' },
  {
    name: 'Revenue',
    role: 'measure',
    type: 'decimal',
    format: { kind: 'currency', currency: 'EUR' },
    measureId: IDS.measure,
  },
];

export const examples: ExamplesOf<typeof routes> = {
  askModel: {
    request: { ...question, totals: 'grand', timezone: 'Europe/Berlin' },
    reply: {
      queryId: IDS.query,
      columns,
      rows: [
        ['2026-01-01', '18250.40'],
        ['2025-12-01', '17911.05'],
      ],
      rowCount: 2,
      truncated: false,
      tiesCut: false,
      totals: [{ level: 0, row: [null, '36161.45'] }],
      warnings: [],
      timezone: 'Europe/Berlin',
      asOf: CHANGED_AT,
      stats: { ms: 41, bytes: 120_400, cache: 'miss' },
    },
  },
  drillModel: {
    request: {
      dimensions: question.dimensions,
      measure: { measureId: IDS.measure },
      values: ['2026-01-01'],
      columns: [{ fieldId: IDS.modelField }],
      limit: 100,
    },
    reply: {
      queryId: IDS.query,
      columns: [{ name: 'placed', role: 'dimension', type: 'date', format: null, fieldId: IDS.modelField }],
      rows: [['2026-01-05'], ['2026-01-20']],
      rowCount: 2,
      truncated: false,
      warnings: [],
      timezone: 'UTC',
      asOf: CHANGED_AT,
      stats: { ms: 18, bytes: 120_400, cache: 'miss' },
    },
  },
  listFieldValues: {
    request: { fieldId: IDS.modelField, search: 'north', limit: 2 },
    reply: { values: ['North', 'Northeast'], truncated: true, asOf: CHANGED_AT, timezone: 'UTC' },
  },
  listColumnValues: {
    request: { column: 'region', filters: [{ column: 'amount', op: 'gt', values: [100] }] },
    reply: { values: ['North', 'South'], truncated: false, asOf: CHANGED_AT, timezone: 'UTC' },
  },
  compileQuestion: {
    request: question,
    reply: {
      dialect: 'duckdb',
      sql: 'WITH\n  "#leg_1" AS (\n    SELECT\n      d1,\n      sum("orders.amount") AS a1\n    FROM (\n      SELECT\n        CAST(date_trunc(\'month\', "orders"."placed") AS DATE) AS d1,\n        "orders"."amount" AS "orders.amount"\n      FROM "orders" AS "orders"\n    ) AS joined\n    GROUP BY d1\n  )\nSELECT\n  d1 AS "placed (month)",\n  a1 AS "Revenue"\nFROM "#leg_1"\nORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST\nLIMIT 1001',
      params: [],
      columns,
      tables: [{ id: IDS.modelTable, alias: 'orders', source: 'orders' }],
      plan: ['orders: computes SUM(orders.amount) for each group.'],
      warnings: [],
    },
  },
  previewModelTable: {
    request: { afterStep: IDS.transform, columns: ['id', 'status'], limit: 2 },
    reply: {
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'status', type: 'string' },
      ],
      rows: [
        [1, 'paid'],
        [2, null],
      ],
      rowCount: 2,
      truncated: true,
      sql: `SELECT\n  "id" AS "id",\n  "status" AS "status"\nFROM (\n  SELECT\n    "id",\n    "status"\n  FROM "orders"\n  WHERE ("status" IS NULL OR "status" <> 'cancelled')\n) AS preview\nLIMIT 3`,
    },
  },
  detectRelationships: {
    reply: {
      items: [
        {
          fromTable: 'customers',
          fromField: 'id',
          toTable: 'orders',
          toField: 'customer_id',
          fromTableId: IDS.customersTable,
          fromFieldId: IDS.customerKey,
          toTableId: IDS.modelTable,
          toFieldId: IDS.modelField,
          joinType: 'left',
          cardinality: '1:N',
          confidence: 0.94,
          evidence: { containment: 0.98, sampleSize: 10_000 },
        },
      ],
      total: 1,
      isComplete: true,
    },
  },
};
