import { type ExportedFile, MAX_INLINE_BYTES } from '../../../../shared/domains/boards/exports/index.ts';
import type { DownloadLinks } from '../../../../shared/domains/semantics/queries/index.ts';
import { Content, ContentElsewhere } from '../../../../shared/platform/http/content.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';

interface Deps {
  links: DownloadLinks;
  objects: Pick<ObjectStore, 'write'>;
  newId: () => string;
}

/** The file if it is small and the client takes its type, otherwise a link to it. */
export async function exportReply(
  { links, objects, newId }: Deps,
  { content, contentType, fileName, truncated, failedCards, warnings }: Omit<ExportedFile, 'source'>,
  call: { workspaceId: string; accepted: string },
): Promise<Content | ContentElsewhere> {
  const headers = {
    'x-truncated': String(truncated),
    'x-failed-cards': String(failedCards),
    ...(warnings.length > 0 ? { 'x-warnings': warnings.join(', ') } : {}),
  };
  const isInline = Buffer.isBuffer(content) && content.length <= MAX_INLINE_BYTES && contentType === call.accepted;
  if (isInline) return new Content(content, { fileName, headers });
  let key: string;
  let bytes: number;
  if (Buffer.isBuffer(content)) {
    key = `results/${call.workspaceId}/exports/${newId()}`;
    bytes = content.length;
    await objects.write(key, content, contentType);
  } else ({ key, bytes } = content);
  return new ContentElsewhere({ ...(await links.sign(key, fileName)), bytes, contentType }, headers);
}
