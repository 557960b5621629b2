import { AppError } from '../errors/app-error.ts';
import { ASSET_TYPES } from '../http/asset-types.ts';
import { Content } from '../http/content.ts';
import type { SiteFiles } from '../http/site-files.ts';

/** A file whose name contains a digest of its content. Throws `PAGE_NOT_FOUND`. */
export async function readAsset(site: SiteFiles, name: string): Promise<Content> {
  const file = await site.find(`assets/${name}`);
  if (!file) throw new AppError('PAGE_NOT_FOUND', { detail: `There is no file ${name}. Reload the page.` });
  const ending = name.slice(name.lastIndexOf('.') + 1) as keyof typeof ASSET_TYPES;
  const headers = { 'content-type': ASSET_TYPES[ending], 'cache-control': 'public, max-age=31536000, immutable' };
  return new Content(file.bytes, { etag: file.etag, headers });
}
