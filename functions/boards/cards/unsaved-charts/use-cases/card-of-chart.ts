import type { ChartSpec } from '../../../../../shared/domains/boards/charts/index.ts';
import type { CardRecord } from '../../../../../shared/domains/boards/dashboards/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';

/** The card that the chart would be on a dashboard of the caller. */
export function cardOf(chartSpec: ChartSpec, { userId }: Principal, now: Date): CardRecord {
  const at = now.toISOString();
  return {
    id: 'preview',
    cardType: 'chart',
    title: '',
    description: '',
    position: { x: 0, y: 0, w: 12, h: 8 },
    chartSpec,
    savedQueryId: null,
    textContent: null,
    imageUrl: null,
    value: null,
    pageId: null,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
}
