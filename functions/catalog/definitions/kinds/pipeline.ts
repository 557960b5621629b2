import * as Type from 'typebox';
import { Dag } from '../../../../shared/domains/pipelines/definition/index.ts';
import { PIPELINE_STATUSES } from '../../../../shared/domains/pipelines/store/index.ts';
import { Name, StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import { Schedule } from '../../../../shared/platform/schedule/schedule.ts';
import type { DefinitionKind, Members } from './kind.ts';

const { schedule: _schedule, concurrency, version, steps, ...dag } = Dag.properties;
const { cron, everySeconds, timezone, enabled } = Schedule.properties;
const ALONE = { maxConcurrentRuns: 1, onOverlap: 'skip' };
const AT = { timezone: 'UTC', enabled: true };

/** The size of the function that runs the steps, and the people who get an email, are in no file, and stay. */
export const pipeline: DefinitionKind = {
  kind: 'pipeline',
  members: Type.Object({
    name: Name,
    status: StringEnum(PIPELINE_STATUSES, { default: 'active' }),
    schedule: StrictObject(
      {
        cron,
        everySeconds,
        timezone: { ...timezone, default: AT.timezone },
        enabled: { ...enabled, default: AT.enabled },
      },
      { default: {} },
    ),
    concurrency: { ...concurrency, default: {} },
    version: { ...version, default: 1 },
    ...dag,
    steps,
  }),
  references: { sourceId: 'source', datasetId: 'dataset', pipelineId: 'pipeline' },
  usesFlowlets: true,
  inlined: 'dag',

  show({ dag, schedule, ...others }) {
    const { nextRunAt: _, ...times } = (schedule ?? {}) as Members;
    const { schedule: _given, concurrency: _runs, ...definition } = dag as Members;
    return { ...others, schedule: times, ...definition };
  },

  take({ name, status, schedule, concurrency, ...dag }, current) {
    const isScheduled = Object.keys(schedule as Members).length > 0;
    return {
      name,
      status,
      // A schedule without times removes the one that there is.
      ...(isScheduled ? { schedule: { ...AT, ...(schedule as Members) } } : current?.schedule ? { schedule: {} } : {}),
      concurrency: { ...ALONE, ...(concurrency as Members) },
      dag,
    };
  },
};
