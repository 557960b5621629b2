import { type ChartDeps, isProtectedSource } from '../../../../shared/domains/boards/charts/index.ts';
import {
  type ScheduleKind,
  type ScheduleRecord,
  type StoredScheduleMail,
  sentStates,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { WriterDeps } from '../../../../shared/domains/boards/exports/index.ts';
import { themeRepository } from '../../../../shared/domains/boards/themes/index.ts';
import { blendRepository } from '../../../../shared/domains/semantics/blends/index.ts';
import { metricRepository, publicReader } from '../../../../shared/domains/semantics/metrics/index.ts';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { memberPrincipal, readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Opener, ReadingClients } from '../stages.ts';
import { type Content, openSchedule, type ScheduleDeps } from './deliver-schedule.ts';
import { type MailedFiles, mailedFiles } from './mailed-file.ts';

/** The first stage of schedules that send the content. */
export const openSchedules = <S extends ScheduleRecord>(
  clients: ReadingClients,
  content: Content<S>,
): ReturnType<Opener<S, StoredScheduleMail>> => ({
  open: (run) => openSchedule(scheduleDeps(clients, content.kind), content, run),
});

/** What the files of dashboards and reports are written with. */
export const writerDeps = ({ table, objects, questions }: ReadingClients): WriterDeps => ({
  ...chartDeps({ table, questions }),
  objects,
  themes: themeRepository(table),
});

export const filesOf = ({ table, objects, log }: ReadingClients): MailedFiles =>
  mailedFiles({
    objects,
    workspace: (id) => readWorkspace(table, id),
    newId,
    report: (error, { id: scheduleId }) =>
      log.error('a card of a mailed file could not be read', { error: error as Error, scheduleId }),
  });

const chartDeps = ({ table, questions }: Pick<ReadingClients, 'table' | 'questions'>): ChartDeps => ({
  ...questions,
  savedQueries: savedQueryRepository(table).queries,
  metrics: metricRepository(table),
  blends: blendRepository(table),
});

function scheduleDeps<S extends ScheduleRecord>(
  { table, objects, questions, log }: ReadingClients,
  kind: ScheduleKind<S>,
): ScheduleDeps {
  const charts = chartDeps({ table, questions });
  return {
    charts,
    states: sentStates(table, kind),
    member: (place) => memberPrincipal(table, place),
    outsider: async (place) => publicReader(place),
    deliveryDomains: async (id) => (await readWorkspace(table, id))?.deliveryDomains ?? [],
    isProtectedSource: (workspaceId, source) => isProtectedSource(charts, workspaceId, source),
    themes: themeRepository(table),
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
