import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import { evaluated } from '../examples.ts';
import type * as routes from './routes.ts';

const condition = { kind: 'metric', metricId: IDS.metric, operator: 'lt', threshold: 80_000 };

export const examples: ExamplesOf<typeof routes> = {
  previewAlert: {
    request: { condition, last: 2 },
    reply: {
      points: [
        { at: '2026-02-28T23:00:00.000Z', group: null, value: 91_300, state: 'ok', edges: [] },
        { at: '2026-03-01T23:00:00.000Z', group: null, value: 71_200, state: 'triggered', edges: ['fire'] },
      ],
      fires: 1,
      recovers: 0,
      note: null,
    },
  },
  runAlert: { reply: { at: '2026-03-01T09:12:44.120Z' } },
  listAlertHistory: {
    reply: {
      items: [
        {
          at: '2026-03-01T05:30:00.000Z',
          entries: [{ group: null, state: 'triggered', edges: ['fire'], value: 71_200, reason: null, error: null }],
          isHidden: false,
        },
      ],
    },
  },
  snoozeAlert: {
    request: { until: '2026-03-02T06:00:00.000Z' },
    reply: { ...evaluated, snoozedUntil: '2026-03-02T06:00:00.000Z', revision: 2 },
  },
  followAlert: { reply: { isFollowing: true } },
  unfollowAlert: { reply: { isFollowing: false } },
};
