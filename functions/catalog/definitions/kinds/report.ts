import * as Type from 'typebox';
import { reportProperties } from '../../../../shared/domains/boards/reports/index.ts';
import type { DefinitionKind, Members, ModelFinder, SymbolSource } from './kind.ts';

const { name, description, isPublished, layout, parameters } = reportProperties;

/** The blocks are its layout. Access and deliveries are in no file, and stay. */
export const report: DefinitionKind = {
  kind: 'report',
  members: Type.Object({
    name,
    description: { ...description, default: '' },
    isPublished: { ...isPublished, default: false },
    parameters: { ...parameters, default: [] },
    blocks: { ...layout.properties.blocks, default: [] },
  }),
  references: { dashboardId: 'dashboard' },
  symbols: {
    kinds: { savedQuery: 'query', model: 'model', dataset: 'dataset', metric: 'metric', blend: 'blend' },
    inTexts: [],
    sources: async ({ blocks }, models) =>
      (await Promise.all((blocks as Members[]).map((block) => sourcesOf(block, models)))).flat(),
  },
  inlined: 'layout',
  show: ({ layout: shown, ...others }) => ({ ...others, ...(shown as Members) }),
  take: ({ blocks, ...others }) => ({ ...others, layout: { blocks } }),
};

/** The source of a block, and the models whose fields its filters and parameters name. */
async function sourcesOf({ chartSpec }: Members, models: ModelFinder): Promise<SymbolSource[]> {
  const source = (chartSpec as { query: { source: SymbolSource } } | undefined)?.query.source;
  if (!source) return [];
  const behind =
    source.kind === 'metric' || source.kind === 'blend' ? await models.modelsBehind(source.kind, source.id) : [];
  return [source, ...behind.map((id) => ({ kind: 'model', id }))];
}
