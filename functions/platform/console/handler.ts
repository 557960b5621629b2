import { join } from 'node:path';
import { bindPublic } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { publicGroup } from '../../../shared/platform/http/public-group.ts';
import { SiteFiles } from '../../../shared/platform/http/site-files.ts';
import { newNonce, pageHeaders } from '../../../shared/platform/pages/page-headers.ts';
import { readAsset } from '../../../shared/platform/pages/read-asset.ts';
import { readConsoleFiles } from './console-files.ts';
import { consolePage } from './console-page.ts';
import * as routes from './routes.ts';

const site = new SiteFiles(join(import.meta.dirname, 'site'));

export const handler = publicGroup('console', [
  bindPublic(routes.getConsole, () => page('/')),
  bindPublic(routes.getConsoleScreen, ({ params: { screen } }) => page(`/${screen}`)),
  bindPublic(routes.getConsoleItem, ({ params: { screen, item } }) => page(`/${screen}/${item}`)),
  bindPublic(routes.getConsolePart, ({ params: { screen, item, part } }) => page(`/${screen}/${item}/${part}`)),
  bindPublic(routes.getConsoleAsset, ({ params }) => readAsset(site, params.file)),
]);

async function page(path: string): Promise<Content> {
  const nonce = newNonce();
  const choices = { connect: [uploadOrigin()], trustedTypes: ["'none'"] };
  return new Content(consolePage(await readConsoleFiles(site), { nonce, path }), {
    headers: pageHeaders(nonce, choices),
  });
}

/** Where presigned uploads go: the bucket, or the endpoint that the SDK was given in the place of AWS. */
const uploadOrigin = (): string => URL.parse(process.env.AWS_ENDPOINT_URL ?? '')?.origin ?? process.env.UPLOAD_ORIGIN!;
