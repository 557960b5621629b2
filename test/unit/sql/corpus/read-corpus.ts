import { readFileSync } from 'node:fs';

/** The statements of a corpus file: paragraphs, without the first one, which says what the file holds. */
export function readCorpus(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .trim()
    .split(/\n{2,}/)
    .slice(1);
}
