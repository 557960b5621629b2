import { api } from '../../data/client.ts';
import type { Recent } from '../../data/recent.ts';
import { MAX_DASHBOARDS } from './limits.ts';

export async function newDashboards(): Promise<Recent[]> {
  const { items } = await api.dashboards.page({ limit: MAX_DASHBOARDS });
  return items.map(({ id, name }) => ({ type: 'dashboard', id, name }));
}
