import type { WriteDeps } from '../../../../shared/domains/pipelines/copies/index.ts';
import type { DataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { SourceFiles, UploadedPart } from '../files.ts';
import type { SourceTable } from '../schemas.ts';
import { uploadPlace, writablePlace } from './upload-place.ts';

interface NamedUpload {
  principal: Principal;
  id: string;
  uploadId: string;
  path: string;
}

/** Joins the parts to the file, replacing an earlier file of the path. */
export async function completeUpload(
  deps: WriteDeps & { sources: DataSourceRepository; files: SourceFiles; objects: Pick<ObjectStore, 'remove'> },
  command: NamedUpload & { parts: readonly UploadedPart[] },
): Promise<SourceTable> {
  const key = await writablePlace(deps, command);
  await deps.files.completeParts(key, command.uploadId, command.parts);
  const file = await deps.files.find(key);
  if (!(await deps.sources.get(command.principal.workspaceId, command.id))) {
    // The source was deleted in between, and the deletion did not see this file.
    await deps.objects.remove([key]);
    throw new AppError('DATA_SOURCE_NOT_FOUND');
  }
  if (!file) throw new AppError('UPLOAD_NOT_FOUND');
  const { sizeBytes, updatedAt } = file;
  return { schema: '', name: command.path, kind: 'file', sizeBytes, updatedAt };
}

export async function abortUpload(
  deps: { sources: DataSourceRepository; files: SourceFiles },
  command: NamedUpload,
): Promise<void> {
  await deps.files.abortParts(await uploadPlace(deps, command), command.uploadId);
}
