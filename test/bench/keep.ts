import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentWith, type Figures } from './document.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'docs/benchmarks.md');
/** The newest figures of each measurement, from which the document is written. */
const FIGURES = join(import.meta.dirname, 'measured.json');

/** Replaces what was known of one measurement; `order` is that of the document. */
export async function keep(order: readonly string[], { name, ...figures }: Figures & { name: string }): Promise<void> {
  const all: Record<string, Figures> = { ...JSON.parse(await readFile(FIGURES, 'utf8')), [name]: figures };
  const ordered = order.flatMap((each) => (all[each] ? [[each, all[each]] as const] : []));
  await writeFile(FIGURES, JSON.stringify(Object.fromEntries(ordered)));
  execFileSync(process.execPath, [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', FIGURES]);
  const document = await readFile(DOCUMENT, 'utf8');
  await writeFile(
    DOCUMENT,
    documentWith(
      document,
      ordered.map(([, each]) => each),
    ),
  );
}
