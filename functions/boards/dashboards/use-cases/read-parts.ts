import type {
  DashboardCard,
  DashboardFilter,
  DashboardPage,
  NamedDashboard,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import type { DashboardDeps } from './context.ts';
import { presentDashboard } from './save-dashboard.ts';

interface ListOf<T> {
  items: T[];
  total: number;
}

const listOf = <T>(items: T[]): ListOf<T> => ({ items, total: items.length });

/** The pages that the caller sees. Throws `DASHBOARD_NOT_FOUND`. */
export const listPages = async (deps: DashboardDeps, named: NamedDashboard): Promise<ListOf<DashboardPage>> =>
  listOf((await presentDashboard(deps, named)).pages);

export async function listCards(
  deps: DashboardDeps,
  { pageId, ...named }: NamedDashboard & { pageId?: string | undefined },
): Promise<ListOf<DashboardCard>> {
  const { cards } = await presentDashboard(deps, named);
  return listOf(pageId === undefined ? cards : cards.filter((card) => card.pageId === pageId));
}

export const listFilters = async (deps: DashboardDeps, named: NamedDashboard): Promise<ListOf<DashboardFilter>> =>
  listOf((await presentDashboard(deps, named)).filters);
