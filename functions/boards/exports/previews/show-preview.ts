import type { PreviewImages } from '../../../../shared/domains/boards/exports/index.ts';
import type { DownloadLinks } from '../../../../shared/domains/semantics/queries/index.ts';
import {
  type ContentDeps,
  type LinkQuota,
  protectedCards,
  publishedParts,
  type ResolveLink,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type DocumentDeps, previewDocument } from './preview-document.ts';

export interface PreviewDeps extends DocumentDeps {
  content: ContentDeps;
  resolve: ResolveLink;
  drawingQuota: LinkQuota;
  previews: PreviewImages;
  links: Pick<DownloadLinks, 'show'>;
}

/**
 * The address of the picture that other applications show of a link. The gateway returns bytes only to clients that ask
 * for their type first, which few of these applications do, so the picture comes from the bucket. Throws
 * `SHARE_NOT_FOUND`, `SHARE_PICTURE_OFF`, `SHARE_DRAWINGS_SPENT`, and what `previewDocument` throws.
 */
export async function showPreview(deps: PreviewDeps, token: string): Promise<string> {
  const reader = await deps.resolve(token);
  if (reader.kind !== 'share') throw new AppError('SHARE_NOT_FOUND');
  const parts = await publishedParts(deps.content, reader);
  if (reader.preview !== 'picture') throw new AppError('SHARE_PICTURE_OFF');
  // Readers of the link learn no names of tables.
  if ((await protectedCards(deps, reader, parts.cards)).length > 0) throw new AppError('RLS_SHARE_REQUIRED');
  const document = await previewDocument(deps, reader, parts);
  const key = await deps.previews.through(reader.workspaceId, document, () => deps.drawingQuota.take(reader));
  return deps.links.show(key);
}
