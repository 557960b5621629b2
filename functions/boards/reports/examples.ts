import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const content = {
  layout: {
    blocks: [
      { id: 'title', type: 'heading', text: 'Revenue of the month' },
      {
        id: 'regions',
        type: 'table',
        title: 'By region',
        chartSpec: {
          version: 1,
          query: {
            source: { kind: 'model', id: IDS.model },
            dimensions: [{ fieldId: IDS.modelField, label: 'Region' }],
            measures: [{ measureId: IDS.measure, label: 'Revenue' }],
          },
          mark: { type: 'table' },
        },
        bindings: [{ parameter: 'regions', fieldId: IDS.modelField }],
      },
    ],
  },
  parameters: [{ name: 'regions', label: 'Regions', type: 'text', isList: true, default: ['North'] }],
};

const summary = {
  id: IDS.report,
  workspaceId: IDS.workspace,
  name: 'Monthly sales',
  description: 'For the management',
  isPublished: false,
  ownerId: IDS.user,
  permission: 'editor',
  blockCount: 2,
  deletedAt: null,
  deletedBy: null,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};
const report = { ...summary, ...content };

export const examples: ExamplesOf<typeof routes> = {
  listReports: { reply: page([summary]) },
  createReport: { request: { name: 'Monthly sales', description: 'For the management', ...content }, reply: report },
  getReport: { reply: report },
  updateReport: {
    request: { isPublished: true },
    reply: { ...report, isPublished: true, updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteReport: {},
  restoreReport: { request: {}, reply: { ...report, updatedAt: CHANGED_AT, revision: 3 } },
  readReportBlock: {
    request: { parameters: [{ name: 'regions', value: ['North', 'South'] }], timezone: 'Europe/Berlin' },
    reply: {
      blockId: 'regions',
      columns: [
        { name: 'Region', role: 'dimension', type: 'string', format: null, fieldId: IDS.modelField },
        { name: 'Revenue', role: 'measure', type: 'decimal', format: null, measureId: IDS.measure },
      ],
      rows: [
        ['North', '120500.00'],
        ['South', '98200.50'],
      ],
      rowCount: 2,
      truncated: false,
      asOf: CHANGED_AT,
      cache: 'miss',
      timezone: 'Europe/Berlin',
      ignoredFilters: [],
      warnings: [],
    },
  },
};
