import type { Logger } from '@aws-lambda-powertools/logger';
import { type ChartDeps, isProtectedSource } from '../../../../shared/domains/charts/index.ts';
import {
  type ScheduleKind,
  type ScheduleRecord,
  sentStates,
} from '../../../../shared/domains/delivery-schedules/index.ts';
import { publicReader } from '../../../../shared/domains/metrics/index.ts';
import { memberPrincipal, readUser, readWorkspace } from '../../../../shared/domains/workspaces/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { ScheduleDeps } from './deliver-schedule.ts';

/** The dependencies of scheduled deliveries of a kind. */
export function scheduleDeps<S extends ScheduleRecord>(
  { table, charts, log }: { table: Table; charts: ChartDeps; log: Pick<Logger, 'error'> },
  kind: ScheduleKind<S>,
): ScheduleDeps {
  return {
    charts,
    states: sentStates(table, kind),
    member: async (place) => {
      const [principal, user] = await Promise.all([memberPrincipal(table, place), readUser(table, place.userId)]);
      return user?.active ? principal : undefined;
    },
    outsider: async (place) => publicReader(place),
    deliveryDomains: async (id) => (await readWorkspace(table, id))?.deliveryDomains ?? [],
    isProtectedSource: (workspaceId, source) => isProtectedSource(charts, workspaceId, source),
    report: (error, { id: scheduleId }) =>
      log.error('the file of a delivery could not be created', { error: error as Error, scheduleId }),
    now: table.now,
  };
}
