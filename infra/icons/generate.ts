import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { iconSprite } from './sprite.ts';

/**
 * `npm run icons`: writes the icons of the console, which `icon-names.ts` lists. A unit test fails while they are out
 * of date.
 */
await writeFile(join(import.meta.dirname, '../../functions/platform/console/site/icons.svg'), iconSprite());
