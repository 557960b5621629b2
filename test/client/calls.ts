import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi.js';

type Step = components['schemas']['Step'];

/** Calls the API with types that come from its document alone, and returns what it has seen. */
export async function callApi(baseUrl: string, token: string) {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

  const source = await api.POST('/data-sources', { body: { name: 'Files', type: 'file' } });
  if (!source.data) return { problem: source.error.code };

  // Members with a default may be left out: `enabled` here, `limit` and `offset` below.
  const webhook = await api.POST('/webhooks', {
    body: { name: 'Hook', url: 'https://hooks.example.com/x', kind: 'generic', events: [] },
  });

  const steps: Step[] = [
    {
      id: 'numbers',
      type: 'transform_sql',
      config: { sql: 'SELECT range AS n FROM range({{ params.count }})' },
    },
    {
      id: 'even',
      type: 'transform_sql',
      dependsOn: ['numbers'],
      config: {
        ops: [
          { op: 'filter', condition: 'n % 2 = 0' },
          { op: 'aggregate', groupBy: [], measures: [{ fn: 'count', as: 'n' }] },
        ],
        gates: [{ id: 'one-row', type: 'row_count', config: { min: 1, max: 1 }, action: 'fail' }],
      },
    },
    {
      id: 'keep',
      type: 'load',
      dependsOn: ['even'],
      config: { target: { kind: 'dataset', name: 'even' }, mode: 'overwrite' },
    },
  ];
  const parameters = [{ name: 'count', type: 'number' as const, default: 10 }];
  const pipeline = await api.POST('/pipelines', { body: { name: 'Even', dag: { version: 1, steps, parameters } } });
  if (!pipeline.data) return { problem: pipeline.error.code };

  const { id } = pipeline.data;
  const read = await api.GET('/pipelines/{id}', { params: { path: { id } } });
  const listed = await api.GET('/pipelines', { params: { query: { limit: 10 } } });
  const missing = await api.GET('/pipelines/{id}', { params: { path: { id: source.data.id } } });
  const [, recipe] = read.data?.dag.steps ?? [];

  return {
    sourceType: source.data.type,
    webhookStatus: webhook.response.status,
    operations: recipe?.type === 'transform_sql' && 'ops' in recipe.config ? recipe.config.ops.map(({ op }) => op) : [],
    listed: listed.data?.items.map(({ name }) => name),
    missing: missing.error?.code,
  };
}
