import { folded } from '../duckdb/column-names.ts';
import type { Column } from '../duckdb/column-types.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteLiteral } from '../duckdb/quoting.ts';
import { detectedColumns } from './json-columns.ts';
import { type RenamedMembers, renameMembers } from './json-member-names.ts';
import { type JsonShape, recordDepth } from './json-shape.ts';

interface JsonRecords {
  /** SQL that reads the records with further options. */
  read: (more: string) => string;
  /** The columns under the names that the engine reads. */
  found: Column[];
  /** The name in the file, by column. */
  members: string[];
}

/**
 * Detects the columns. Members that the engine would not find by their names are renamed first, in a copy of the file.
 */
export async function openRecords(
  engine: Engine,
  path: string,
  { format, shape, typeSample }: { format: 'json' | 'ndjson'; shape: JsonShape; typeSample: number | undefined },
): Promise<JsonRecords> {
  const detection = `sample_size = ${typeSample ?? -1}, map_inference_threshold = -1`;
  const reading = (file: string) => (more: string) =>
    `read_json(${quoteLiteral(file)}, format = '${format === 'json' ? 'array' : 'newline_delimited'}', records = true, ${more})`;
  const detected = async (file: string, renamed: RenamedMembers): Promise<JsonRecords> => {
    const read = reading(file);
    const found = await detectedColumns(engine, read, detection);
    return { read, found, members: found.map(({ name }) => renamed.get(name) ?? name) };
  };
  const asIs = shape.hasEmptyName ? undefined : await detected(path, new Map());
  if (asIs && !mayClash(asIs.found)) return asIs;
  const copy = engine.temporaryPath('json');
  const renamed = await renameMembers(path, copy, recordDepth(format));
  return asIs && renamed.size === 0 ? asIs : detected(copy, renamed);
}

/** Whether the engine may have numbered members whose names differ only by case. */
function mayClash(found: readonly Column[]): boolean {
  const known = new Set(found.map(({ name }) => folded(name)));
  return found.some(({ name }) => /_\d+$/.test(name) && known.has(folded(name.replace(/_\d+$/, ''))));
}

/** Numbers names that differ only by case as the engine does, so that columns keep the names they have had. */
export function numberedNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((wanted) => {
    let name = wanted;
    for (let count = counts.get(folded(name)); count !== undefined; count = counts.get(folded(name))) {
      counts.set(folded(name), count + 1);
      name = `${name}_${count + 1}`;
    }
    counts.set(folded(name), 0);
    return name;
  });
}
