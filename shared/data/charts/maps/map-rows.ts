import type { ChartData } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { showValue } from '../show-value.ts';
import type { Geography } from './geographies.ts';
import { findPlace, type Place } from './places.ts';

export interface MapRows {
  geography: Geography;
  /** The place in the column that names places. */
  at: number;
  /** The first row of each place, by its place in the rows. */
  found: { place: Place; row: number }[];
  /** Values that name no place of the geography, in the order of the rows. */
  unknown: string[];
  /** How many rows have such a value. */
  unknownRows: number;
  /** Places with further rows, which the map cannot show. */
  repeated: string[];
}

/** Which row each place of a map has. Undefined for other charts, and for a column that the rows do not have. */
export function mapRows({ mark, encoding, layer }: Pick<ChartLook, 'mark' | 'encoding' | 'layer'>, data: ChartData) {
  if (layer || mark.type !== 'geoshape') return undefined;
  const at = data.columns.findIndex(({ name }) => name === encoding?.shape?.field);
  return at < 0 ? undefined : placed(mark.geography ?? 'countries', at, data);
}

function placed(geography: Geography, at: number, { columns, rows }: ChartData): MapRows {
  const found = new Map<string, MapRows['found'][number]>();
  const unknown = new Set<string>();
  const repeated = new Set<string>();
  let unknownRows = 0;
  for (const [row, cells] of rows.entries()) {
    const place = findPlace(geography, cells[at]);
    if (!place) {
      unknownRows += 1;
      unknown.add(showValue(columns[at]!, cells[at]) || '(empty)');
    } else if (found.has(place.id)) repeated.add(place.name);
    else found.set(place.id, { place, row });
  }
  return { geography, at, found: [...found.values()], unknown: [...unknown], unknownRows, repeated: [...repeated] };
}

/** What a map leaves out, as sentences. */
export function mapWarnings({ geography, unknown, unknownRows, repeated }: MapRows): string[] {
  const kind = geography === 'countries' ? 'country' : 'state of the USA';
  const values = unknown.length === 1 ? 'value is' : 'values are';
  return [
    ...(unknown.length > 0
      ? [`${unknown.length} ${values} no ${kind} on the map (${counted(unknownRows, 'row')}): ${listed(unknown)}`]
      : []),
    ...(repeated.length > 0 ? [`The map shows only the first row of ${listed(repeated)}`] : []),
  ];
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const MAX_NAMED = 10;
const MAX_NAME = 60;

function listed(names: readonly string[]): string {
  const named = names
    .slice(0, MAX_NAMED)
    .map((name) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name));
  const more = names.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}
