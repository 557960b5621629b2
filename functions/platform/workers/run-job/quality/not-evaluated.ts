import type { NotEvaluated } from '../../../../../shared/data/quality/evaluate.ts';
import { messageWithoutValues } from '../../../../../shared/data/sql/quoted-values.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import { type JobControl, JobFailure } from '../job-kind.ts';

/** Why tests could not be run; throws errors of the machine, and those of a worker that has to stop. */
export function notEvaluated(error: unknown, { signal }: Pick<JobControl, 'signal'>): NotEvaluated {
  signal.throwIfAborted();
  if (error instanceof DataError) return { error: messageWithoutValues(error) };
  if (error instanceof JobFailure || error instanceof AppError) return { error: error.message };
  throw error;
}

/** Fails a job of data quality: everyone who reads these sees the error, whatever they may see of the rows. */
export function withoutValues(error: unknown): never {
  if (!(error instanceof DataError)) throw error;
  throw new JobFailure(error.code, messageWithoutValues(error), { cause: error });
}
