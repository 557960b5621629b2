import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadYaml, YAML_OPTIONS } from '../definitions/yaml.ts';
import type { Report } from './report.ts';

/** A place in a file that is translated. */
export interface Place {
  file: string;
  line: number;
}

export type Path = readonly (string | number)[];

/** A document of YAML, with the line on which each of its members begins. */
export interface SourceFile {
  /** From the top of the folder, with slashes. */
  path: string;
  value: unknown;
  placeOf(path: Path): Place;
}

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ALIASES = 1000;

/** The documents of a file. What is not YAML is noted, and left out. */
export async function readYamlFile(folder: string, path: string, report: Report): Promise<SourceFile[]> {
  const file = join(folder, path);
  if (statSync(file).size > MAX_BYTES)
    return report.unmapped({ file: path, line: 1 }, 'the file', 'It is larger than 16 MiB.');
  const text = readFileSync(file, 'utf8');
  const { isPair, LineCounter, parseAllDocuments } = await loadYaml();
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { ...YAML_OPTIONS, merge: true, lineCounter });
  const found: SourceFile[] = [];
  for (const document of 'empty' in documents ? [] : documents) {
    const [error] = document.errors;
    if (error) {
      const hint = /\{%|\{\{/.test(text) ? ' A file with Jinja in place of YAML has to be rendered first.' : '';
      const line = error.linePos?.[0].line ?? 1;
      report.unmapped({ file: path, line }, 'the file', `It is not YAML: ${error.message.split('\n')[0]}${hint}`);
      continue;
    }
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (cause) {
      report.unmapped(
        { file: path, line: 1 },
        'the file',
        `Its YAML aliases cannot be resolved: ${(cause as Error).message}`,
      );
      continue;
    }
    found.push({
      path,
      value,
      placeOf(members) {
        let offset = document.contents?.range?.[0] ?? 0;
        for (let length = members.length; length > 0; length -= 1) {
          const parent: unknown = document.getIn(members.slice(0, length - 1), true);
          const last = members[length - 1];
          const items = (parent as { items?: unknown[] } | undefined)?.items ?? [];
          const node =
            typeof last === 'number'
              ? items[last]
              : items.find((item) => isPair(item) && String((item.key as { value?: unknown }).value) === last);
          const range = (isPair(node) ? node.key : node) as { range?: readonly number[] } | undefined;
          if (!range?.range) continue;
          offset = range.range[0]!;
          break;
        }
        return { file: path, line: lineCounter.linePos(offset).line };
      },
    });
  }
  return found;
}
