import { AppError } from '../../../shared/platform/errors/app-error.ts';

/** Words that stand in paths where the id of a part stands too. */
const RESERVED = ['batch', 'reorder', 'from-query', 'page', 'bookmarks', 'templates', 'feed'];

/** Throws `VALIDATION_FAILED` for an id that a path could not name. */
export function assertFreeId(id: string): void {
  if (!RESERVED.includes(id)) return;
  const message = `"${id}" is reserved; choose another id`;
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/id', code: 'RESERVED', message }] });
}

export const notExactSet = (pointer: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code: 'NOT_ALL', message }] });
