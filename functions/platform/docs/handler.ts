import { join } from 'node:path';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { bindPublic } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import type { Routed } from '../../../shared/platform/http/nearest-route.ts';
import { publicGroup } from '../../../shared/platform/http/public-group.ts';
import type { Method } from '../../../shared/platform/http/route.ts';
import { type SiteFile, SiteFiles } from '../../../shared/platform/http/site-files.ts';
import { readAsset } from '../../../shared/platform/pages/read-asset.ts';
import { didYouMean } from '../../../shared/platform/text/nearest.ts';
import { GUIDE_POLICY, REFERENCE_POLICY } from './content-security-policy.ts';
import * as routes from './routes.ts';

const site = new SiteFiles(join(import.meta.dirname, 'site'));

const bindings = [
  bindPublic(routes.getStart, async () => {}),
  bindPublic(routes.getOpenApi, async () => revalidated(await site.read('openapi.json'))),
  bindPublic(routes.getReference, async () => page(await site.read('reference.html'), REFERENCE_POLICY)),
  bindPublic(routes.listGuides, async () => page(await site.read('guides.html'), GUIDE_POLICY)),
  bindPublic(routes.getGuide, async ({ params }) => page(await findGuide(params.slug), GUIDE_POLICY)),
  bindPublic(routes.getDocsAsset, async ({ params }) => readAsset(site, params.file)),
];

let known: Promise<Routed[]> | undefined;

/** The gateway sends what no group serves here. */
export const handler = publicGroup('docs', bindings, { knownRoutes: () => (known ??= documentedRoutes()) });

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

async function documentedRoutes(): Promise<Routed[]> {
  const { bytes } = await site.read('openapi.json');
  const { paths, servers } = JSON.parse(bytes.toString('utf8')) as {
    paths: Record<string, object>;
    servers: [{ url: string }];
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => method.toLowerCase() in operations).map((method) => ({
      method,
      path: servers[0].url + path,
    })),
  );
}

/** The browser asks with every use whether its copy is current. */
function revalidated({ bytes, etag }: SiteFile, headers: Record<string, string> = {}): Content {
  return new Content(bytes, { etag, headers: { 'cache-control': 'no-cache', ...headers } });
}

function page(file: SiteFile, policy: string): Content {
  return revalidated(file, { 'content-security-policy': policy });
}

async function findGuide(slug: string): Promise<SiteFile> {
  const file = await site.find(`guides/${slug}.html`);
  if (file) return file;
  const slugs = (await site.names('guides')).map((name) => name.replace('.html', ''));
  throw new AppError('PAGE_NOT_FOUND', { detail: `There is no guide "${slug}"${didYouMean(slug, slugs)}` });
}
