import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const content = {
  sql: 'SELECT id, amount FROM orders WHERE region = $region AND placed >= $since ORDER BY id',
  params: [
    { name: 'region', type: 'string', required: true },
    { name: 'since', type: 'date', default: '2026-01-01', required: false },
  ],
};

const savedQuery = {
  id: IDS.savedQuery,
  workspaceId: IDS.workspace,
  name: 'Orders of a region',
  description: 'For the weekly review',
  folder: 'sales/weekly',
  ...content,
  sourceId: null,
  datasetIds: null,
  reads: [IDS.orders],
  version: 2,
  revision: 4,
  createdBy: IDS.user,
  updatedBy: IDS.colleague,
  createdAt: CREATED_AT,
  updatedAt: CHANGED_AT,
};

const version = {
  version: 1,
  ...content,
  sourceId: null,
  datasetIds: null,
  createdBy: IDS.user,
  createdAt: CREATED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  createSavedQuery: {
    request: {
      name: 'Orders of a region',
      description: 'For the weekly review',
      folder: 'sales/weekly',
      sql: content.sql,
      params: [
        { name: 'region', type: 'string', required: true },
        { name: 'since', type: 'date', default: '2026-01-01' },
      ],
    },
    reply: { ...savedQuery, version: 1, revision: 1, updatedBy: IDS.user, updatedAt: CREATED_AT },
  },
  listSavedQueries: { reply: page([savedQuery]) },
  getSavedQuery: { reply: savedQuery },
  updateSavedQuery: {
    request: { folder: 'sales/archive' },
    reply: { ...savedQuery, folder: 'sales/archive', revision: 5 },
  },
  deleteSavedQuery: {},
  runSavedQuery: {
    request: { params: { region: 'eu' }, limit: 100 },
    reply: {
      queryId: IDS.query,
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'amount', type: 'decimal(10,2)' },
      ],
      rows: [[1, '12.50']],
      rowCount: 1,
      truncated: false,
      warnings: [],
      asOf: CHANGED_AT,
      stats: { ms: 21, bytes: 18_432, cache: 'hit' },
    },
  },
  listSavedQueryVersions: { reply: page([version]) },
  getSavedQueryVersion: { reply: version },
  restoreSavedQueryVersion: { reply: { ...savedQuery, version: 3, revision: 5 } },
};
