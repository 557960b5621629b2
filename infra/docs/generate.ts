import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartGallery, withGallery } from './chart-gallery.ts';
import { errorIndex } from './error-index.ts';
import { expressionGuide } from './expression-guide.ts';
import { permissionMatrix } from './permission-matrix.ts';

/** `npm run docs`: writes the pages that are generated from the code. A unit test fails while they are out of date. */
const docs = join(import.meta.dirname, '../../docs');
await writeFile(join(docs, 'errors.md'), errorIndex());
await writeFile(join(docs, 'expressions.md'), expressionGuide());
await writeFile(join(docs, 'permissions.md'), permissionMatrix());

const { files, table } = await chartGallery();
const [guide, pictures] = [join(docs, 'charts.md'), join(docs, 'charts')];
await rm(pictures, { recursive: true, force: true });
await mkdir(pictures, { recursive: true });
for (const [name, svg] of Object.entries(files)) await writeFile(join(pictures, name), svg);
await writeFile(guide, withGallery(await readFile(guide, 'utf8'), table));
