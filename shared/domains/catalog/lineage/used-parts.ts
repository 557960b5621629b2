import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { PartRef } from './columns/types.ts';
import { Explorer } from './explorer.ts';
import type { LineageRef } from './types.ts';
import { sightOf } from './walk.ts';
import type { LineageDeps } from './workspace-parts.ts';

const AT_ONCE = 100;

/** Whether any object of the workspace is made of a part of the model. */
export type IsUsedPart = (part: string) => boolean;

/** Finds what objects of the workspace use of a model, also those that the reader does not see, but not which ones. */
export type FindUsedParts = (reader: Principal, modelId: string) => Promise<IsUsedPart>;

export function findUsedParts(deps: LineageDeps): FindUsedParts {
  return async (reader, id) => {
    const all = { ...reader, role: 'admin', scope: null } as const;
    const explorer = new Explorer(sightOf({ ...deps, checkProduct: async () => {} }, all));
    const isModel = (ref: LineageRef) => ref.type === 'model' && ref.id === id;
    const used = new Set<string>();
    let isAnyUsed = false;
    const use = (ref: PartRef) => {
      if (!isModel(ref)) return;
      if (ref.part === null) isAnyUsed = true;
      else used.add(ref.part);
    };
    await inParallel(AT_ONCE, await explorer.dependentsOf({ type: 'model', id }), async (dependent) => {
      const { parts, deciding, unknown } = await explorer.partsOf(dependent);
      for (const ref of [...parts.flatMap(({ inputs }) => inputs), ...deciding]) use(ref);
      if (unknown.some(isModel)) isAnyUsed = true;
    });
    return (part) => isAnyUsed || used.has(part);
  };
}
