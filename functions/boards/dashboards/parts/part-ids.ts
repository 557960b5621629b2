import { partIdIssues } from '../../../../shared/domains/boards/dashboards/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';

/** Throws `VALIDATION_FAILED` for an id that a path could not name. */
export function assertFreeId(id: string): void {
  const errors = partIdIssues(id, '/id');
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

export const notExactSet = (pointer: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code: 'NOT_ALL', message }] });
