import { unreadable } from './file-format.ts';
import type { FileFormat } from './formats.ts';
import { type JsonHead, jsonHead } from './json-form.ts';

type TextFormat = Exclude<FileFormat, 'parquet' | 'xlsx'>;

/**
 * The format in which a UTF-8 text is read. A name is only a hint: what the content shows beyond doubt is read as that.
 * A given format must be that of the content. Throws FILE_UNREADABLE for JSON that has no records or is of another
 * format.
 */
export async function textFormat(path: string, format: TextFormat, isHint: boolean): Promise<TextFormat> {
  const head = await jsonHead(path);
  if (head === undefined) return format;
  const found = FORMAT_OF[head.form];
  if (found === format || (format === 'ndjson' && found !== 'json')) return format;
  if (isHint && found !== undefined && head.form !== 'line') return found;
  throw unreadable(contradiction(format, head));
}

/** The format of JSON that has records. */
const FORMAT_OF: Record<JsonHead['form'], 'json' | 'ndjson' | undefined> = {
  list: 'json',
  lines: 'ndjson',
  line: 'ndjson',
  object: undefined,
  values: undefined,
};

function contradiction(format: TextFormat, { form, isGeoJson }: JsonHead): string {
  if (isGeoJson) {
    return 'The file is a GeoJSON FeatureCollection, which is one object, not a list of records. Save its features one per line (GeoJSONSeq), and set format: ndjson.';
  }
  const name = format === 'json' ? 'a JSON array' : format === 'ndjson' ? 'one JSON object per line' : 'CSV';
  switch (form) {
    case 'list':
      return `The file is not ${name} but a JSON array. Set format: json.`;
    case 'lines':
    case 'line':
      return `The file is not ${name}: its first line begins with an object. If each line holds one object, set format: ndjson. A list within an object cannot be read.`;
    case 'object':
      return `The file is not ${name}: it begins with an object over several lines. Write one object per line (format ndjson) or one array of objects (format json). A list within an object cannot be read.`;
    case 'values':
      return `The file is not ${name}: it has JSON values that are not objects. It must contain JSON objects: one per line (format ndjson) or in one array (format json).`;
  }
}
