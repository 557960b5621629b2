import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const definition = {
  name: 'Orders with support cases',
  description: 'Orders from the shop, cases from the help desk',
  leftTableId: IDS.modelTable,
  leftAlias: 'orders',
  rightTableId: IDS.customersTable,
  rightAlias: 'cases',
};

const options = { as: 'text', caseInsensitive: true, trim: true, matchNulls: false, timezone: null } as const;

const blend = {
  id: IDS.blend,
  workspaceId: IDS.workspace,
  ...definition,
  leftModelId: IDS.model,
  rightModelId: IDS.model,
  keys: [
    { left: 'customer', right: 'customer', leftFieldId: IDS.modelField, rightFieldId: IDS.customerKey, ...options },
  ],
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const request = {
  ...definition,
  keys: [{ left: 'customer', right: 'customer', as: 'text', caseInsensitive: true, trim: true }],
};
const check = { leftUnique: false, rightUnique: true, overlap: 0.94 };

export const examples: ExamplesOf<typeof routes> = {
  listBlends: { reply: page([blend]) },
  createBlend: { request, reply: { ...blend, check } },
  getBlend: {
    reply: {
      ...blend,
      stale: false,
      diagnostics: [],
      usedBy: [{ type: 'dashboard', id: IDS.dashboard, name: 'Service' }],
    },
  },
  replaceBlend: { request, reply: { ...blend, check, updatedAt: CHANGED_AT, revision: 2 } },
  deleteBlend: { reply: { id: IDS.blend } },
  executeBlend: {
    request: {
      leftColumns: ['number', 'amount'],
      rightColumns: ['subject'],
      rightFilters: [{ fieldId: IDS.customerKey, op: 'not_null', values: [] }],
      sort: [{ column: 'orders.amount', direction: 'desc' }],
      limit: 100,
    },
    reply: {
      queryId: IDS.query,
      columns: [
        { name: 'orders.number', side: 'left', type: 'integer', format: null, fieldId: IDS.modelField },
        { name: 'orders.amount', side: 'left', type: 'decimal', format: '0.00', fieldId: IDS.measure },
        { name: 'cases.subject', side: 'right', type: 'string', format: null, fieldId: IDS.customerKey },
      ],
      rows: [
        [1042, '310.00', 'Parcel is late'],
        [1040, '95.50', null],
      ],
      rowCount: 2,
      totalRows: 2,
      truncated: false,
      warnings: [],
      timezone: 'UTC',
      asOf: CHANGED_AT,
      stats: {
        ms: 61,
        bytes: 48_200,
        cache: 'miss',
        leftMs: 24,
        rightMs: 21,
        joinMs: 16,
        pushedDown: null,
        leftRows: 2,
        rightRows: 1,
        leftNullKeys: 0,
        rightNullKeys: 0,
        leftUnconverted: 0,
        rightUnconverted: 0,
        matchedLeft: 1,
        unmatchedLeft: 1,
        unmatchedRight: 0,
        leftUnique: true,
        rightUnique: true,
        maxMultiplicity: 1,
      },
    },
  },
};
