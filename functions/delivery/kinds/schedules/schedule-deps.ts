import type { Logger } from '@aws-lambda-powertools/logger';
import { type ChartDeps, isProtectedSource } from '../../../../shared/domains/boards/charts/index.ts';
import {
  type ScheduleKind,
  type ScheduleRecord,
  sentStates,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { Themes } from '../../../../shared/domains/boards/themes/index.ts';
import { publicReader } from '../../../../shared/domains/semantics/metrics/index.ts';
import { memberPrincipal, readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { ScheduleDeps } from './deliver-schedule.ts';

interface Clients {
  table: Table;
  charts: ChartDeps;
  themes: Themes;
  objects: ObjectStore;
  log: Pick<Logger, 'error'>;
}

/** The dependencies of scheduled deliveries of a kind. */
export function scheduleDeps<S extends ScheduleRecord>(
  { table, charts, themes, objects, log }: Clients,
  kind: ScheduleKind<S>,
): ScheduleDeps {
  return {
    charts,
    states: sentStates(table, kind),
    member: (place) => memberPrincipal(table, place),
    outsider: async (place) => publicReader(place),
    deliveryDomains: async (id) => (await readWorkspace(table, id))?.deliveryDomains ?? [],
    isProtectedSource: (workspaceId, source) => isProtectedSource(charts, workspaceId, source),
    themes,
    pictures: {
      objects,
      newId,
      report: (error) => log.error('a chart of an email could not be drawn', error as Error),
    },
    report: (error, { id: scheduleId }) =>
      log.error('the file of a delivery could not be created', { error: error as Error, scheduleId }),
    now: table.now,
  };
}
