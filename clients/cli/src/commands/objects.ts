import { buildRouteMap } from '@stricli/core';
import type { Analytics } from '../../../typescript/src/index.ts';
import { command } from '../command.ts';
import { idOf } from '../find.ts';
import { localTime, table } from '../output.ts';

/** What the commands `list`, `get` and `delete` need of a resource. */
interface Resource {
  list(query: object, options: object): AsyncIterable<object>;
  get(id: string, options: object): Promise<object>;
  delete(id: string, options: object): Promise<unknown>;
}

interface Item {
  id: string;
  name: string;
  updatedAt?: string;
}

/** The commands over the objects of a kind. */
function objectsOf(name: keyof Analytics, noun: string) {
  const resource = (api: Analytics) => api[name] as unknown as Resource;
  const one = {
    kind: 'tuple',
    parameters: [{ brief: `Name or id of the ${noun}`, parse: String, placeholder: noun.replaceAll(' ', '-') }],
  } as const;
  const list = command<{ search?: string; limit?: number }>({
    brief: `List ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`,
    parameters: {
      flags: { limit: { kind: 'parsed', parse: Number, brief: 'Most of them', placeholder: 'N', optional: true } },
    },
    async run({ api, terminal, signal }, { limit = Number.POSITIVE_INFINITY }) {
      const rows: Item[] = [];
      for await (const item of resource(api).list({ limit: Math.min(limit, 100) }, { signal })) {
        if (terminal.isJson) terminal.out(JSON.stringify(item));
        else rows.push(item as Item);
        limit -= 1;
        if (limit <= 0) break;
      }
      if (terminal.isJson) return;
      if (rows.length === 0) return terminal.note(`There is no ${noun} yet.`);
      const columns = [{ name: 'NAME' }, { name: 'ID' }, { name: 'CHANGED' }];
      terminal.out(
        table(
          terminal,
          columns,
          rows.map(({ id, name, updatedAt }) => [name, id, localTime(updatedAt)]),
        ),
      );
    },
  });
  const get = command<object, [wanted: string]>({
    brief: `Show a ${noun} as JSON`,
    parameters: { positional: one },
    async run({ api, terminal, signal }, _, wanted) {
      const id = await idOf(resource(api), noun, wanted, { signal });
      const found = await resource(api).get(id, { signal });
      terminal.out(JSON.stringify(found, null, terminal.isJson ? undefined : 2));
    },
  });
  const remove = command<object, [wanted: string]>({
    brief: `Delete a ${noun}`,
    changes: true,
    parameters: { positional: one },
    async run({ api, terminal, signal }, _, wanted) {
      const id = await idOf(resource(api), noun, wanted, { signal });
      await resource(api).delete(id, { signal });
      if (terminal.isJson) terminal.out(JSON.stringify({ id, deleted: true }));
      else terminal.note(`Deleted the ${noun} ${id}.`);
    },
  });
  return buildRouteMap({ routes: { list, get, delete: remove }, docs: { brief: `List, show and delete: ${noun}` } });
}

export const OBJECTS = {
  sources: objectsOf('dataSources', 'data source'),
  datasets: objectsOf('datasets', 'dataset'),
  queries: objectsOf('savedQueries', 'saved query'),
  models: objectsOf('models', 'model'),
  metrics: objectsOf('metrics', 'metric'),
  dashboards: objectsOf('dashboards', 'dashboard'),
  reports: objectsOf('reports', 'report'),
  pipelines: objectsOf('pipelines', 'pipeline'),
};
