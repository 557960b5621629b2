import type { Logger } from '@aws-lambda-powertools/logger';
import { type ChartDeps, isProtectedSource } from '../../../../shared/domains/charts/index.ts';
import { sentStates } from '../../../../shared/domains/dashboard-schedules/index.ts';
import { dashboardStore, dashboardVersions } from '../../../../shared/domains/dashboards/index.ts';
import type { ExportDeps } from '../../../../shared/domains/exports/index.ts';
import { grantReader } from '../../../../shared/domains/grants/index.ts';
import { publicReader } from '../../../../shared/domains/metrics/index.ts';
import type { QuestionDeps } from '../../../../shared/domains/questions/index.ts';
import { savedQueryRepository } from '../../../../shared/domains/saved-queries/index.ts';
import { memberPrincipal, readUser, readWorkspace } from '../../../../shared/domains/workspaces/index.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { DashboardDeps } from './deliver-dashboard.ts';
import { mailedFile } from './mailed-file.ts';

interface Clients {
  table: Table;
  values: QuestionDeps;
  objects: ObjectStore;
  metrics: ChartDeps['metrics'];
  log: Pick<Logger, 'error'>;
}

/** The dependencies of dashboard deliveries. */
export function openDashboards({ table, values, objects, metrics, log }: Clients): DashboardDeps {
  const cards: ExportDeps = {
    ...values,
    savedQueries: savedQueryRepository(table).queries,
    metrics,
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
    objects,
  };
  const workspace = (id: string) => readWorkspace(table, id);
  const report: DashboardDeps['report'] = (error, { id: scheduleId }) =>
    log.error('the file of a delivery could not be created', { error: error as Error, scheduleId });
  return {
    ...cards,
    states: sentStates(table),
    member: async (place) => {
      const [principal, user] = await Promise.all([memberPrincipal(table, place), readUser(table, place.userId)]);
      return user?.active ? principal : undefined;
    },
    outsider: async (place) => publicReader(place),
    deliveryDomains: async (id) => (await workspace(id))?.deliveryDomains ?? [],
    isProtectedSource: (workspaceId, source) => isProtectedSource(cards, workspaceId, source),
    file: (schedule, principal) =>
      mailedFile({ cards, objects, workspace }, { schedule, principal, onError: (error) => report(error, schedule) }),
    report,
  };
}
