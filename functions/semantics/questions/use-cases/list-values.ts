import {
  type DistinctValues,
  datasetModel,
  distinctValues,
  type QuestionDeps,
  type ValuesCommand,
} from '../../../../shared/domains/semantics/questions/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ReadColumnValues } from '../schemas.ts';

/** Throws `MODEL_NOT_FOUND`, and what questions throw. */
export const listFieldValues = (deps: QuestionDeps, command: Omit<ValuesCommand, 'pointer'>): Promise<DistinctValues> =>
  distinctValues(deps, { ...command, pointer: '/fieldId' });

/** Throws `DATASET_NOT_FOUND`, and what questions throw. */
export async function listColumnValues(
  deps: QuestionDeps,
  { principal, id, column, filters, ...reading }: ReadColumnValues & { principal: Principal; id: string },
): Promise<DistinctValues> {
  const dataset = await deps.datasets.get(principal.workspaceId, id);
  if (!dataset) throw new AppError('DATASET_NOT_FOUND');
  const definition = datasetModel(dataset);
  const asked = { ...deps, definitions: { read: async () => definition } };
  const command = {
    ...reading,
    principal,
    modelId: id,
    fieldId: column,
    filters: filters.map(({ column: fieldId, ...condition }) => ({ ...condition, fieldId })),
    pointer: '/column',
  };
  return distinctValues(asked, command).catch((error: unknown) => {
    throw columnError(error);
  });
}

/** The model of a dataset calls its columns fields. */
function columnError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return error;
  const errors = error.errors.map((issue) => ({
    ...issue,
    pointer: issue.pointer.replace(/^(\/filters\/\d+)\/fieldId$/, '$1/column'),
    message: issue.message.replace('is not a field of the model', 'is not a column of the dataset'),
  }));
  return new AppError('VALIDATION_FAILED', { errors, cause: error });
}
