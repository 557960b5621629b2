import { readFileSync } from 'node:fs';

/** The statements of a corpus file: paragraphs, without the first one, which says what the file holds. */
export function readCorpus(file: URL): string[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split(/\n{2,}/)
    .slice(1);
}
