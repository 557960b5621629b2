import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorIndex } from './error-index.ts';

/** `npm run docs`: writes the pages that are generated from the code. A unit test fails while they are out of date. */
await writeFile(join(import.meta.dirname, '../../docs/errors.md'), errorIndex());
