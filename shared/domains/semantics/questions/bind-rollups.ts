import { aggregatesOf } from '../../../data/expressions/index.ts';
import type { Rollup } from '../../../data/semantics/rollup-table.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ModelDefinition } from '../models/index.ts';
import { Binder, type BoundColumn } from './binder.ts';
import type { Clock } from './conditions.ts';

export interface BoundRollups {
  rollups: readonly Rollup[];
  /** Those that the caller cannot use, with the reason. */
  unusable: readonly UnusedRollup[];
}

/** A rollup that does not answer a question. */
export interface UnusedRollup {
  name: string;
  reason: string;
}

/** The rollups of a model with their parts as expressions, as far as the caller may use all of their fields. */
export function bindRollups(
  definition: ModelDefinition,
  options: { clock: Clock; denied: ReadonlySet<string> },
): BoundRollups {
  const rollups: Rollup[] = [];
  const unusable: UnusedRollup[] = [];
  for (const rollup of definition.rollups.values()) {
    try {
      rollups.push(bound(definition, rollup, options));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
      unusable.push({ name: rollup.name, reason: 'it has a part that is not valid any more, or that you may not use' });
    }
  }
  return { rollups, unusable };
}

function bound(
  definition: ModelDefinition,
  { id, name, dimensions, measures }: Pick<Rollup, 'id' | 'name'> & Parts,
  { clock, denied }: { clock: Clock; denied: ReadonlySet<string> },
): Rollup {
  const binder = new Binder(definition, clock, denied);
  const trees = (columns: readonly (BoundColumn | undefined)[]) => columns.flatMap((each) => (each ? [each.tree] : []));
  const rows = trees(dimensions.map((each, index) => binder.dimension(each, `/dimensions/${index}`)));
  const values = trees(measures.map((each, index) => binder.measure(each, `/measures/${index}`)));
  binder.throwIssues();
  return { id, name, dimensions: rows, aggregates: values.flatMap(aggregatesOf) };
}

interface Parts {
  dimensions: readonly Parameters<Binder['dimension']>[0][];
  measures: readonly Parameters<Binder['measure']>[0][];
}
