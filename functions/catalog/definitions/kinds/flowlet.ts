import * as Type from 'typebox';
import { flowletContent } from '../../../../shared/domains/pipelines/flowlets/index.ts';
import type { DefinitionKind } from './kind.ts';

const { name, description, params, inputs, ops } = flowletContent;

/** The newest version. A changed file makes the next one; pipelines that name none get it when they are deployed. */
export const flowlet: DefinitionKind = {
  kind: 'flowlet',
  isWholeInLists: true,
  members: Type.Object({ name, description, params: { ...params, default: [] }, inputs, ops }),
  references: {},
  usesFlowlets: true,
  // A new name is another flowlet.
  fixed: ['name'],
  show: ({ description: text, ...others }) => ({ ...others, ...(text !== null && { description: text }) }),
};
