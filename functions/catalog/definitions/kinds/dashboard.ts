import * as Type from 'typebox';
import { DashboardFile } from '../../../../shared/domains/boards/dashboards/index.ts';
import { loadYaml } from '../../../../shared/platform/validation/load-yaml.ts';
import { YAML } from '../../../../shared/platform/validation/yaml-file.ts';
import type { DefinitionKind, Members } from './kind.ts';

const { version, sources: _sources, name, description, ...content } = DashboardFile.properties;
const LISTS = ['pages', 'cards', 'filters'];
const FIRST = ['name', 'description'];

const path = (id: unknown) => `/api/dashboards/${id}/file` as const;

/** The draft of a dashboard, which a person publishes. */
export const dashboard: DefinitionKind = {
  kind: 'dashboard',
  members: Type.Object({
    name,
    description: { ...description, default: '' },
    version: { ...version, default: 1 },
    ...Object.fromEntries(
      Object.entries(content).map(([member, schema]) => [
        member,
        LISTS.includes(member) ? { ...schema, default: [] } : schema,
      ]),
    ),
  }),
  // Two dashboards may link to each other.
  later: Object.keys(content),
  // Of links to other dashboards.
  references: { dashboardId: 'dashboard' },
  symbols: {
    kinds: {
      savedQuery: 'query',
      model: 'model',
      dataset: 'dataset',
      metric: 'metric',
      blend: 'blend',
      theme: 'theme',
    },
    inTexts: ['theme'],
  },
  content: {
    first: FIRST,

    async read(operations, { id }) {
      const reply = await operations.send({ group: 'dashboards', method: 'GET', path: path(id), accept: YAML });
      const { readYaml } = await loadYaml();
      return { members: readYaml(reply.body).value as Members, revision: Number(reply.headers.etag!.slice(1, -1)) };
    },

    async write(id, members) {
      const { writeYaml } = await loadYaml();
      return { group: 'dashboards', method: 'PUT', path: path(id), body: { yaml: writeYaml(members) } };
    },
  },
};
