import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const issue = {
  id: IDS.qualityIssue,
  workspaceId: IDS.workspace,
  issueType: 'test_failed',
  severity: 'high',
  status: 'open',
  sourceId: 'datasets',
  schemaName: '',
  tableName: 'orders',
  columnName: 'amount',
  testId: IDS.qualityTest,
  title: 'Orders have a plausible amount',
  message: '18 of 1200 rows fail value_range on amount.',
  resolutionNote: null,
  lastFindingId: IDS.qualityRun,
  occurrences: 1,
  reopenedCount: 0,
  assigneeId: null,
  ignoreUntil: null,
  firstSeenAt: CREATED_AT,
  lastSeenAt: CREATED_AT,
  resolvedAt: null,
  history: [{ status: 'open', at: CREATED_AT, by: null, note: null }],
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const decision = { status: 'in_progress', resolutionNote: 'Asked the shop team', assigneeId: IDS.colleague };

export const examples: ExamplesOf<typeof routes> = {
  listQualityIssues: { reply: page([issue]) },
  summarizeQualityIssues: {
    reply: {
      total: 3,
      byStatus: { open: 1, ignored: 1, fixed: 1, in_progress: 0 },
      bySeverity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
      byType: {
        test_failed: 1,
        execution_error: 0,
        volume_anomaly: 0,
        freshness_anomaly: 0,
        distribution_anomaly: 0,
      },
    },
  },
  getQualityIssue: { reply: issue },
  setQualityIssueStatus: {
    request: decision,
    reply: {
      ...issue,
      ...decision,
      history: [
        ...issue.history,
        { status: 'in_progress', at: CHANGED_AT, by: IDS.user, note: decision.resolutionNote },
      ],
      updatedAt: CHANGED_AT,
      revision: 2,
    },
  },
};
