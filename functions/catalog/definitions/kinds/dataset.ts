import * as Type from 'typebox';
import { complete } from '../../../../shared/domains/catalog/definitions/index.ts';
import { Dataset, Retention } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { Name, Nullable, StrictObject } from '../../../../shared/platform/http/schemas.ts';
import { Schedule } from '../../../../shared/platform/schedule/schedule.ts';
import type { DefinitionKind, Members } from './kind.ts';

const { source, mode, incremental, partitionBy } = Dataset.properties;
const { cron, everySeconds, timezone, enabled } = Schedule.properties;
const AT = { timezone: 'UTC', enabled: true };

/** The settings of a dataset. Its rows, columns and versions are in no file. */
export const dataset: DefinitionKind = {
  kind: 'dataset',
  isWholeInLists: true,
  members: Type.Object({
    name: Name,
    source: { ...source, default: null },
    mode: { ...mode, default: 'full' },
    incremental: { ...incremental, default: null },
    schedule: {
      ...Nullable(
        StrictObject({
          cron,
          everySeconds,
          timezone: { ...timezone, default: AT.timezone },
          enabled: { ...enabled, default: AT.enabled },
        }),
      ),
      default: null,
    },
    partitionBy: { ...partitionBy, default: null },
    retention: { ...Retention, default: {} },
  }),
  references: { sourceId: 'source' },

  // A schedule without times is none.
  fold(file) {
    const { schedule, ...others } = file as Members & { schedule?: Members | null };
    const isTimed = schedule?.cron !== undefined || schedule?.everySeconds !== undefined;
    return schedule && !isTimed && Object.keys(schedule).every((name) => name === 'enabled') ? others : file;
  },

  show(object) {
    const { nextRunAt: _, ...times } = (object.schedule ?? {}) as Members;
    return { ...object, schedule: object.schedule === null ? null : times };
  },

  take: ({ source: from, schedule, retention, ...others }, current) => ({
    ...others,
    ...((from !== null || current) && { source: from }),
    schedule: schedule && { ...AT, ...(schedule as Members) },
    retention: complete(Retention, retention),
  }),

  dataOf: async (_operations, { rowCount }) => (Number(rowCount) > 0 ? `The dataset has ${rowCount} rows.` : undefined),
};
