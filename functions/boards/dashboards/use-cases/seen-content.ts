import {
  type DashboardState,
  type FileContent,
  type NamedDashboard,
  partsOf,
  publishedFor,
  seenDashboard,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import type { DashboardDeps } from './context.ts';
import { bodyOf } from './views.ts';

/**
 * What the caller sees of a dashboard that is not deleted: the draft, or the published version. Throws
 * `DASHBOARD_NOT_FOUND`.
 */
export async function seenContent(
  deps: DashboardDeps,
  named: NamedDashboard,
): Promise<FileContent & { state: DashboardState }> {
  const { state, sight } = await seenDashboard(deps, named);
  const snapshot = await publishedFor(deps, state, sight);
  const { name, description } = snapshot ?? state.record;
  return { state, name, description, body: bodyOf(snapshot ?? state.body), parts: partsOf(snapshot ?? state) };
}
