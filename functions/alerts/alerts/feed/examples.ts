import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const item = {
  id: IDS.alertNotice,
  kind: 'alert',
  isUnread: true,
  at: '2026-03-01T05:30:00.000Z',
  title: 'Revenue collapses',
  text: 'It fired: the value is 71,200, which is a decrease by 20%.',
  url: null,
  subject: { type: 'alert', id: IDS.alert, name: 'Revenue collapses' },
  actor: null,
  alert: {
    alertId: IDS.alert,
    name: 'Revenue collapses',
    severity: 'critical',
    edge: 'fire',
    state: 'triggered',
    value: 71_200,
    group: null,
    operator: 'decreases_by',
    threshold: 20,
    episodeId: '2026-03-01T05:30:00.000Z',
    isHidden: false,
  },
};

export const examples: ExamplesOf<typeof routes> = {
  readAlertFeed: { reply: { items: [item], unread: 1, nextCursor: null } },
  markNotificationsRead: { request: { upTo: IDS.alertNotice }, reply: { unread: 0 } },
};
