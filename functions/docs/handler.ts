import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bindPublic } from '../../shared/platform/http/bind.ts';
import { Content } from '../../shared/platform/http/content.ts';
import { JsonText } from '../../shared/platform/http/json-text.ts';
import { publicGroup } from '../../shared/platform/http/public-group.ts';
import { PAGE } from './page.ts';
import * as routes from './routes.ts';

/** The build puts the document and the viewer beside the bundle; they are read once, when first asked for. */
const files = new Map<string, Promise<string>>();
function beside(name: string): Promise<string> {
  let text = files.get(name);
  if (!text) {
    text = readFile(join(import.meta.dirname, name), 'utf8');
    files.set(name, text);
  }
  return text;
}

export const handler = publicGroup('docs', [
  bindPublic(routes.getOpenApi, async () => JsonText.from(await beside('openapi.json'))),
  bindPublic(routes.getReference, async () => new Content(PAGE)),
  bindPublic(routes.getReferenceViewer, async () => new Content(await beside('viewer.js'))),
]);
