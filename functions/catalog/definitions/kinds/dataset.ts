import * as Type from 'typebox';
import { complete } from '../../../../shared/domains/catalog/definitions/index.ts';
import { Dataset, Retention } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { Name } from '../../../../shared/platform/http/schemas.ts';
import type { DefinitionKind } from './kind.ts';
import { fileSchedule, foldSchedule, showSchedule, takeSchedule } from './schedule.ts';

const { source, mode, incremental, partitionBy } = Dataset.properties;

/** The settings of a dataset. Its rows, columns and versions are in no file. */
export const dataset: DefinitionKind = {
  kind: 'dataset',
  isWholeInLists: true,
  members: Type.Object({
    name: Name,
    source: { ...source, default: null },
    mode: { ...mode, default: 'full' },
    incremental: { ...incremental, default: null },
    schedule: fileSchedule,
    partitionBy: { ...partitionBy, default: null },
    retention: { ...Retention, default: {} },
  }),
  references: { sourceId: 'source' },

  fold: foldSchedule,
  show: (object) => ({ ...object, schedule: showSchedule(object.schedule) }),

  take: ({ source: from, schedule, retention, ...others }, current) => ({
    ...others,
    ...((from !== null || current) && { source: from }),
    schedule: takeSchedule(schedule),
    retention: complete(Retention, retention),
  }),

  dataOf: async (_operations, { rowCount }) =>
    Number(rowCount) === 1
      ? 'The dataset has 1 row.'
      : Number(rowCount) > 1
        ? `The dataset has ${Number(rowCount).toLocaleString('en')} rows.`
        : undefined,
};
