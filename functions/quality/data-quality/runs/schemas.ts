import type { Static } from 'typebox';
import * as Type from 'typebox';
import { RUN_STATUSES, runProperties, Sample } from '../../../../shared/domains/quality/index.ts';
import { idParams, Nullable, StringEnum } from '../../../../shared/platform/http/schemas.ts';

export const QualityJobParams = idParams('job of a run of all tests');

const members = {
  ...runProperties,
  status: StringEnum([...RUN_STATUSES, 'running'], {
    description:
      '`failed`: too many rows fail; `error`: the test could not be run; `skipped`: there were no rows to test; `running`: the run goes on, and its result will be in the list of runs.',
  }),
  sample: Nullable(
    Type.Unsafe<Static<typeof Sample>>({
      ...Sample,
      description:
        'Some of the failing rows; null for callers who may not run queries or may not see all of the table.',
    }),
  ),
};

export const QualityRun = Type.Object(members, {
  $id: 'DataQualityRun',
  description: 'What a test has found in the rows of its table.',
});
export type QualityRun = Static<typeof QualityRun>;

export const QualityRunList = Type.Object(
  { items: Type.Array(QualityRun) },
  { $id: 'DataQualityRunList', description: 'The newest runs of a test first. Runs are kept for 90 days.' },
);

export const RunListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The maximum number of runs to return.' }),
});

export const FailingRowsRequest = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 10_000,
      description: 'How many of the failing rows to store; the others are counted.',
    }),
  },
  { $id: 'StoreFailingRows', description: 'Which of the failing rows to store.' },
);
