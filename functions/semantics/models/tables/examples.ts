import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const stamps = {
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};
export const partPlace = { workspaceId: IDS.workspace, modelId: IDS.model };
export const partsPage = <T>(items: readonly T[]) => ({ items, total: items.length, limit: 1000, offset: 0 });
const changed = { updatedBy: IDS.colleague, updatedAt: CHANGED_AT, revision: 2 };

const table = {
  id: IDS.modelTable,
  ...partPlace,
  sourceSchema: '',
  sourceTable: 'orders',
  alias: 'orders',
  description: 'One row for each order',
  missing: false,
  ...stamps,
};

const field = {
  id: IDS.modelField,
  ...partPlace,
  tableId: IDS.modelTable,
  name: 'amount',
  sourceColumn: 'amount',
  fieldType: 'measure',
  dataType: 'decimal',
  aggregation: 'sum',
  format: '0.00',
  description: 'Without tax',
  isHidden: false,
  sortByField: null,
  semanticType: null,
  isMetric: true,
  ordinal: 3,
  sensitivityLabel: null,
  expression: null,
  isKey: false,
  missing: false,
  stale: false,
  ...stamps,
};

export const examples: ExamplesOf<typeof routes> = {
  listModelTables: { reply: partsPage([table]) },
  addModelTable: {
    request: { sourceSchema: '', sourceTable: 'orders', alias: 'orders', description: 'One row for each order' },
    reply: table,
  },
  getModelTable: { reply: table },
  updateModelTable: { request: { alias: 'Orders' }, reply: { ...table, alias: 'Orders', ...changed } },
  removeModelTable: {},
  listModelFields: { reply: partsPage([field]) },
  listTableFields: { reply: partsPage([field]) },
  createModelField: {
    request: { name: 'amount', fieldType: 'measure', dataType: 'decimal', format: '0.00', description: 'Without tax' },
    reply: { ...field, isMetric: false },
  },
  updateModelField: { request: { isMetric: true }, reply: { ...field, ...changed } },
  deleteModelField: {},
};
