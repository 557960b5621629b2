import { Content } from '../../../shared/platform/http/content.ts';
import type { SiteFiles } from '../../../shared/platform/http/site-files.ts';

/** The addresses of the files that the build placed beside the bundle. */
export interface PageFiles {
  style: string;
  icon: string;
  theme: string;
  dashboard: string;
  story: string;
  elsewhere: string;
  share: string;
  embed: string;
  'sign-in': string;
  device: string;
}

export const readPageFiles = async (site: SiteFiles): Promise<PageFiles> =>
  JSON.parse((await site.read('files.json')).bytes.toString('utf8')) as PageFiles;

/** Other sites refer to the script by a fixed address, so browsers may cache it for an hour only. */
export async function readEmbedScript(site: SiteFiles): Promise<Content> {
  const { bytes, etag } = await site.read('view.js');
  const headers = { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' };
  return new Content(bytes, { etag, headers });
}
