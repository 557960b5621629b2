import type { WriteDeps } from '../../../../shared/domains/pipelines/copies/index.ts';
import type { DataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { SourceFiles } from '../files.ts';
import type { Upload } from '../schemas.ts';
import { writablePlace } from './upload-place.ts';

export const UPLOAD_SECONDS = 15 * 60;
/** Large files take long. The URLs expire with the credentials that signed them, which last longer than this. */
const PARTS_SECONDS = 6 * 60 * 60;

const MIB = 1024 ** 2;
const MAX_SINGLE_PUT_BYTES = 64 * MIB;
const MIN_PART_BYTES = 8 * MIB;
/** The number of URLs that fit into a reply; the largest files have larger parts instead. */
const MAX_URLS = 1000;

interface Deps extends WriteDeps {
  sources: DataSourceRepository;
  files: SourceFiles;
}

/** Each URL permits to store one file of one size at one place, for a limited time. */
export async function createUpload(
  deps: Deps,
  command: { principal: Principal; id: string; path: string; size: number; contentType?: string },
): Promise<Upload> {
  const key = await writablePlace(deps, command);
  const { size, contentType = 'application/octet-stream' } = command;
  if (size > MAX_SINGLE_PUT_BYTES) return uploadInParts(deps, key, size, contentType);
  const headers = { 'content-type': contentType, 'content-length': String(size) };
  return {
    kind: 'single',
    method: 'PUT',
    url: await deps.files.signUpload(key, headers, UPLOAD_SECONDS),
    headers,
    expiresAt: expiry(deps, UPLOAD_SECONDS),
  };
}

async function uploadInParts(deps: Deps, key: string, size: number, contentType: string): Promise<Upload> {
  const partSize = Math.max(MIN_PART_BYTES, Math.ceil(size / MAX_URLS / MIB) * MIB);
  const uploadId = await deps.files.startParts(key, contentType);
  const parts = await Promise.all(
    Array.from({ length: Math.ceil(size / partSize) }, async (_, index) => {
      const part = { uploadId, partNumber: index + 1, size: Math.min(partSize, size - index * partSize) };
      return {
        partNumber: part.partNumber,
        url: await deps.files.signPart(key, part, PARTS_SECONDS),
        size: part.size,
      };
    }),
  );
  return { kind: 'parts', uploadId, partSize, parts, expiresAt: expiry(deps, PARTS_SECONDS) };
}

const expiry = ({ now }: Pick<Deps, 'now'>, seconds: number) =>
  new Date(now().getTime() + seconds * 1000).toISOString();
