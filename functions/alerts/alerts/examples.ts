import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const definition = {
  name: 'Revenue collapses',
  description: 'Revenue of the last complete day',
  condition: {
    kind: 'metric',
    metricId: IDS.metric,
    operator: 'decreases_by',
    threshold: 20,
    compare: { to: 'previous_period', unit: 'percent' },
    for: 1,
  },
  channels: { email: { userIds: [IDS.user], groupIds: [IDS.group] }, event: true },
  scheduleCron: '30 6 * * *',
  timezone: 'Europe/Berlin',
  severity: 'critical',
};

const alert = {
  id: IDS.alert,
  workspaceId: IDS.workspace,
  ...definition,
  isActive: true,
  onRefresh: false,
  repeat: 'never',
  runAs: 'recipients',
  shareRows: false,
  holdOnQuality: false,
  notifyOnRecover: true,
  ownerId: IDS.user,
  snoozedUntil: null,
  status: 'active',
  stopReason: null,
  nextAt: '2026-03-02T05:30:00.000Z',
  isRecipient: true,
  mayEdit: true,
  evaluatedAt: null,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const evaluated = {
  ...alert,
  state: 'triggered',
  health: 'ok',
  healthSince: '2026-02-28T05:30:00.000Z',
  error: null,
  lastValue: 71_200,
  firedAt: '2026-03-01T05:30:00.000Z',
  evaluatedAt: '2026-03-01T05:30:00.000Z',
  isHidden: false,
};

export const examples: ExamplesOf<typeof routes> = {
  listAlerts: { reply: page([evaluated]) },
  createAlert: { request: definition, reply: alert },
  getAlert: { reply: evaluated },
  updateAlert: {
    request: { severity: 'warning', repeat: { every: 'PT4H' } },
    reply: {
      ...evaluated,
      ...{ severity: 'warning', repeat: { every: 'PT4H' }, updatedAt: CHANGED_AT, revision: 2 },
    },
  },
  deleteAlert: {},
};
