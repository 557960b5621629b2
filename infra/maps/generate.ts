import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mapFiles } from './maps.ts';

/**
 * `npm run maps`: writes the shapes and names that maps are drawn from. A unit test fails while they are out of date.
 */
const folder = join(import.meta.dirname, '../../shared/data/charts/maps');
for (const [name, text] of Object.entries(mapFiles())) await writeFile(join(folder, name), text);
