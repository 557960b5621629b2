import type { ResultType } from './types.ts';

type Text = string | null;

/**
 * Converts rows of text from Postgres to JSON in the wire format (`shared/data/duckdb/wire-format.ts`), so that values
 * of a source look like values of DuckDB.
 */
export function wireReader(types: readonly ResultType[], timezone: string) {
  let lossy = false;
  const reportLoss = () => {
    lossy = true;
    return 'null';
  };
  const readers = types.map(({ oid, item }) => {
    const one = scalar(item ?? oid, timezone, reportLoss);
    return item === undefined ? one : (text: string) => listText(text, one);
  });
  return {
    row: (row: readonly Text[]): string =>
      `[${row.map((text, i) => (text === null ? 'null' : readers[i]!(text))).join(',')}]`,
    /** Whether a NaN or an infinity became null so far. */
    isLossy: () => lossy,
  };
}

function scalar(oid: number, timezone: string, lossy: () => string): (text: string) => string {
  const finite = (show: (text: string) => string) => (text: string) =>
    /^-?(nan|infinity)$/i.test(text) ? lossy() : show(text);
  switch (oid) {
    case 16:
      return (text) => (text === 't' ? 'true' : 'false');
    case 21:
    case 23:
    case 26:
      return (text) => text;
    case 20:
      return (text) => (Number.isSafeInteger(Number(text)) ? text : quoted(text));
    case 700:
    case 701:
      return finite((text) => String(Number(text)));
    case 1700:
      return finite(quoted);
    case 1082:
      return finite((text) => quoted(isoYear(text)));
    case 1114:
      return finite((text) => quoted(`${instant(isoYear(text))}Z`));
    case 1184:
      return finite((text) => quoted(zoned(isoYear(text), timezone)));
    case 17:
      return (text) => quoted(Buffer.from(text.slice(2), 'hex').toString('base64'));
    case 114:
    case 3802:
      return (text) => text;
    default:
      return quoted;
  }
}

const quoted = (text: string) => JSON.stringify(text);

/** `0044-03-15 10:00:00 BC` as `-0043-03-15 10:00:00`: the year before 1 is 0. */
function isoYear(text: string): string {
  if (!text.endsWith(' BC')) return text;
  const [, year = '', rest = ''] = /^(\d+)(.*) BC$/.exec(text) ?? [];
  return `${year === '0001' ? '' : '-'}${String(Number(year) - 1).padStart(4, '0')}${rest}`;
}

/** `2024-01-02 03:04:05.12` as ISO 8601 with at least milliseconds. */
function instant(text: string): string {
  const [clock = '', fraction = ''] = text.replace(' ', 'T').split('.');
  return `${clock}.${fraction.padEnd(3, '0')}`;
}

/** The offset is written `+00`, `+05:30` or, for historical dates, `+05:53:28`. */
function zoned(text: string, timezone: string): string {
  const [, moment = text, offset = ''] = /^(.*?)([+-]\d\d(?::\d\d){0,2})$/.exec(text) ?? [];
  if (timezone === 'UTC') return `${instant(moment)}Z`;
  return instant(moment) + (offset.length === 3 ? `${offset}:00` : offset);
}

/** Converts `{1,NULL,"a,b"}` to a JSON array; multidimensional arrays are nested. */
function listText(text: string, one: (item: string) => string): string {
  // Lower bounds other than 1 are written first: `[0:1]={1,2}`.
  let at = text.indexOf('{');
  return list();

  function list(): string {
    const items: string[] = [];
    at += 1;
    while (text[at] !== '}') {
      items.push(text[at] === '{' ? list() : text[at] === '"' ? one(quotedItem()) : bareItem());
      if (text[at] === ',') at += 1;
    }
    at += 1;
    return `[${items.join(',')}]`;
  }

  function quotedItem(): string {
    let item = '';
    for (at += 1; text[at] !== '"'; at += 1) {
      if (text[at] === '\\') at += 1;
      item += text[at];
    }
    at += 1;
    return item;
  }

  function bareItem(): string {
    const start = at;
    while (text[at] !== ',' && text[at] !== '}') at += 1;
    const item = text.slice(start, at);
    return item === 'NULL' ? 'null' : one(item);
  }
}
