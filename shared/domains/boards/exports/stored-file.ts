import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileContent } from '../../semantics/queries/index.ts';
import type { ExportContext } from './export-command.ts';

/** What fits into a reply; base64 adds a third. */
export const MAX_INLINE_BYTES = 4 * 1024 * 1024;

/** What `write` writes to a file: its bytes, or where it is in the bucket if it is large. */
export async function storedFile(
  { deps, command, check }: Pick<ExportContext, 'deps' | 'command' | 'check'>,
  { extension, contentType }: { extension: string; contentType: string },
  write: (path: string) => Promise<void>,
): Promise<FileContent> {
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  try {
    const path = join(folder, `file.${extension}`);
    await write(path);
    const { size: bytes } = await stat(path);
    check(bytes);
    if (bytes <= MAX_INLINE_BYTES) return await readFile(path);
    const key = `results/${command.principal.workspaceId}/exports/${deps.newId()}.${extension}`;
    await deps.objects.upload(key, path, contentType);
    return { key, bytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
