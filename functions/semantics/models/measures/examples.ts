import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { partPlace, partsPage, stamps } from '../tables/examples.ts';
import type * as routes from './routes.ts';

const measure = {
  id: IDS.measure,
  ...partPlace,
  name: 'Revenue',
  expression: 'SUM([orders.amount])',
  dataType: 'decimal',
  format: { kind: 'currency', currency: 'EUR', decimals: 2 },
  folder: 'Sales',
  description: 'What customers have paid',
  isHidden: false,
  stale: false,
  diagnostics: [],
  dependsOn: { fields: [IDS.modelField], measures: [] },
  ...stamps,
};

const misspelt = {
  code: 2001,
  severity: 'error',
  message: 'The table orders has no field "amuont".',
  from: 4,
  to: 19,
  hint: 'Did you mean [orders.amount]?',
};

export const examples: ExamplesOf<typeof routes> = {
  listMeasures: { reply: partsPage([measure]) },
  createMeasure: {
    request: {
      name: 'Revenue',
      expression: 'SUM([orders.amount])',
      format: { kind: 'currency', currency: 'EUR', decimals: 2 },
      folder: 'Sales',
      description: 'What customers have paid',
    },
    reply: measure,
  },
  getMeasure: { reply: measure },
  updateMeasure: {
    request: { name: 'Turnover' },
    reply: { ...measure, name: 'Turnover', updatedBy: IDS.colleague, updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteMeasure: {},
  validateMeasure: {
    request: { expression: 'SUM([orders.amuont])' },
    reply: {
      ok: false,
      diagnostics: [misspelt],
      dataType: null,
      dependsOn: { fields: [], measures: [] },
      additive: null,
    },
  },
  validateExpression: {
    request: { expression: '[price] * [quantity]', tableId: IDS.modelTable },
    reply: { ok: true, diagnostics: [], dataType: 'decimal' },
  },
  previewMeasure: {
    request: { dialect: 'postgres' },
    reply: { dialect: 'postgres', sql: 'SUM("orders"."amount")', params: [], diagnostics: [] },
  },
};
