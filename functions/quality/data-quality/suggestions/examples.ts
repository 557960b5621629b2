import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const suggestion = {
  id: IDS.qualitySuggestion,
  workspaceId: IDS.workspace,
  status: 'pending',
  sourceId: 'datasets',
  schemaName: '',
  tableName: 'orders',
  columnName: 'status',
  testType: 'allowed_values',
  config: { values: ['cancelled', 'paid', 'shipped'] },
  severity: 'medium',
  name: 'orders status allowed_values',
  confidence: 0.85,
  estimatedFailures: 0,
  evidence: {
    scanId: IDS.qualityScan,
    datasetVersion: 12,
    rowCount: 18_200,
    evaluatedRows: 18_200,
    scans: 2,
    reason: '18200 rows have 3 different values, the same as in the previous scan.',
  },
  testId: null,
  decidedBy: null,
  validUntil: '2026-08-01T09:30:00.000Z',
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};

const decided = { decidedBy: IDS.user, updatedAt: CHANGED_AT };

export const examples: ExamplesOf<typeof routes> = {
  listQualitySuggestions: { reply: page([suggestion]) },
  applyQualitySuggestion: {
    reply: { ...suggestion, ...decided, status: 'applied', testId: IDS.qualityTest },
  },
  dismissQualitySuggestion: { reply: { ...suggestion, ...decided, status: 'dismissed' } },
};
