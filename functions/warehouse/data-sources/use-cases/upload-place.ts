import { requireMayWrite, type WriteDeps } from '../../../../shared/domains/pipelines/copies/index.ts';
import { type DataSourceRepository, uploadKey } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { MAX_PATH_BYTES } from '../schemas.ts';
import { findSource } from './read-data-sources.ts';

type Named = { principal: Principal; id: string; path: string };

/** The object key for a path of the source. Throws `UPLOAD_NOT_SUPPORTED`. */
export async function uploadPlace(
  deps: { sources: DataSourceRepository },
  { principal: { workspaceId }, ...named }: Named,
): Promise<string> {
  const source = await findSource(deps, { ...named, workspaceId });
  if (source.type !== 'file') throw new AppError('UPLOAD_NOT_SUPPORTED');
  if (Buffer.byteLength(named.path) > MAX_PATH_BYTES) {
    const message = `must not have more than ${MAX_PATH_BYTES} bytes in UTF-8`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/path', code: 'MAX_LENGTH', message }] });
  }
  return uploadKey(workspaceId, named.id, named.path);
}

/** The same for a caller who replaces the file. Throws `FORBIDDEN` if the file decides which rows they may see. */
export async function writablePlace(
  deps: WriteDeps & { sources: DataSourceRepository },
  named: Named,
): Promise<string> {
  const key = await uploadPlace(deps, named);
  await requireMayWrite(deps, named.principal, { file: { sourceId: named.id, path: named.path } });
  return key;
}
