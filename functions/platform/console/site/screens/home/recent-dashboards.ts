import { api } from '../../data/client.ts';
import type { Recent } from '../../data/recent.ts';

const MAX = 8;

export async function newDashboards(): Promise<Recent[]> {
  const { items } = await api.dashboards.page({ limit: MAX });
  return items.map(({ id, name }) => ({ type: 'dashboard', id, name }));
}
