/** Files from the package `vega-datasets`. */
export const SAMPLE_FILES = ['flights-3m.parquet', 'airports.csv'];

/** Flights of one route in the same minute count as one, and the latest wins: the merge key must be unique. */
export const MERGE_KEY = ['date', 'origin', 'destination'];

export const JOIN = `
  SELECT f.date, f.origin, a.city AS origin_city, a.state AS origin_state, f.destination, f.delay, f.distance
  FROM flights AS f
  LEFT JOIN airports AS a ON a.iata = f.origin`;

/** Which states had the most departures, and how late were they on average? */
export const question = (table: string) => `
  SELECT origin_state, count(*) AS flights, round(avg(delay), 2) AS mean_delay
  FROM ${table}
  GROUP BY origin_state
  ORDER BY flights DESC, origin_state
  LIMIT 5`;

interface Step {
  id: string;
  type: string;
  dependsOn?: string[];
  config: Record<string, unknown>;
  retry?: { maxAttempts: number };
}

/** Extracts both files, joins them, and merges the rows into a dataset. */
export function flightsPipeline(sourceId: string, dataset: string): { version: 1; steps: Step[] } {
  return {
    version: 1,
    steps: [
      {
        id: 'flights',
        type: 'extract',
        config: { sourceId, object: { path: 'flights-3m.parquet', format: 'parquet' } },
      },
      { id: 'airports', type: 'extract', config: { sourceId, object: { path: 'airports.csv', format: 'csv' } } },
      {
        id: 'joined',
        type: 'transform_sql',
        dependsOn: ['flights', 'airports'],
        config: { inputs: { flights: 'flights', airports: 'airports' }, sql: JOIN },
      },
      {
        id: 'merged',
        type: 'load',
        dependsOn: ['joined'],
        config: {
          input: 'joined',
          target: { kind: 'dataset', name: dataset },
          mode: 'merge',
          mergeKey: MERGE_KEY,
          dedupeOrderBy: [
            { column: 'delay', direction: 'desc' },
            { column: 'distance', direction: 'desc' },
          ],
        },
      },
    ],
  };
}
