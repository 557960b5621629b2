import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './report.ts';
import { type Path, type Place, readYamlFile, type SourceFile } from './source-file.ts';
import { isMembers, listOf, type Members, membersOf } from './values.ts';

/** A mapping in a file, with its place. */
export interface Entry {
  members: Members;
  at(...path: Path): Place;
}

/** The mappings of a list that a file has under a name. */
export function entriesOf(file: SourceFile, path: Path): Entry[] {
  let value: unknown = file.value;
  for (const segment of path) value = membersOf(value)[String(segment)];
  return listOf(value).flatMap((members, index) =>
    isMembers(members) ? [{ members, at: (...below) => file.placeOf([...path, index, ...below]) }] : [],
  );
}

/** The mappings of a list inside of an entry. */
export function innerEntries(entry: Entry, ...path: string[]): Entry[] {
  let value: unknown = entry.members;
  for (const segment of path) value = membersOf(value)[segment];
  return listOf(value).flatMap((members, index) =>
    isMembers(members) ? [{ members, at: (...below) => entry.at(...path, index, ...below) }] : [],
  );
}

/** What other tools write, and what packages bring along. */
const OTHERS = new Set(['target', 'dbt_packages', 'dbt_modules', 'logs', 'node_modules', 'venv', '__pycache__']);

/** The paths of the files below a folder, with slashes, in the order of their names. Links are not followed. */
export function filesBelow(folder: string, pattern: RegExp, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        const isOther = OTHERS.has(entry.name) || entry.name.startsWith('.');
        return isOther ? [] : filesBelow(folder, pattern, path);
      }
      return entry.isFile() && pattern.test(entry.name) ? [path] : [];
    });
}

/** Every document of YAML below a folder. */
export async function yamlBelow(folder: string, report: Report): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const path of filesBelow(folder, /\.ya?ml$/i)) found.push(...(await readYamlFile(folder, path, report)));
  return found;
}
