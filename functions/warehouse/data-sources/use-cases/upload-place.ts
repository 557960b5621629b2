import { type DataSourceRepository, uploadKey } from '../../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { MAX_PATH_BYTES } from '../schemas.ts';
import { findSource } from './read-data-sources.ts';

/** The object key for a path of the source. Throws `UPLOAD_NOT_SUPPORTED`. */
export async function uploadPlace(
  deps: { sources: DataSourceRepository },
  named: { workspaceId: string; id: string; path: string },
): Promise<string> {
  const source = await findSource(deps, named);
  if (source.type !== 'file') throw new AppError('UPLOAD_NOT_SUPPORTED');
  if (Buffer.byteLength(named.path) > MAX_PATH_BYTES) {
    const message = `must not have more than ${MAX_PATH_BYTES} bytes in UTF-8`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/path', code: 'MAX_LENGTH', message }] });
  }
  return uploadKey(named.workspaceId, named.id, named.path);
}
