import { uploadKey } from '../../../shared/data-sources/record.ts';
import type { DataSourceRepository } from '../../../shared/data-sources/repository.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import type { SourceFiles } from '../files.ts';
import { MOST_PATH_BYTES, type Upload } from '../schemas.ts';
import { findSource } from './find-source.ts';

export const UPLOAD_SECONDS = 15 * 60;

/** The URL is a right to store one file of one size at one place, for a quarter of an hour. */
export async function createUpload(
  deps: { sources: DataSourceRepository; files: SourceFiles; now: () => Date },
  command: { workspaceId: string; id: string; path: string; size: number; contentType?: string },
): Promise<Upload> {
  const source = await findSource(deps, command);
  if (source.type !== 'file') throw new AppError('UPLOAD_NOT_SUPPORTED');
  if (Buffer.byteLength(command.path) > MOST_PATH_BYTES) {
    const message = `must not have more than ${MOST_PATH_BYTES} bytes in UTF-8`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/path', code: 'MAX_LENGTH', message }] });
  }
  const headers = {
    'content-type': command.contentType ?? 'application/octet-stream',
    'content-length': String(command.size),
  };
  const key = uploadKey(command.workspaceId, command.id, command.path);
  return {
    method: 'PUT',
    url: await deps.files.signUpload(key, headers, UPLOAD_SECONDS),
    headers,
    expiresAt: new Date(deps.now().getTime() + UPLOAD_SECONDS * 1000).toISOString(),
  };
}
