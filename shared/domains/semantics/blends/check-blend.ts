import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ModelDefinition } from '../models/index.ts';
import type { BlendDeps } from './deps.ts';
import { comparedKeys, keyError } from './keys.ts';
import type { BlendRequest } from './protocol.ts';
import { pushedKeys } from './pushed-keys.ts';
import type { BlendRecord } from './records.ts';
import { compileSide } from './side-statement.ts';
import { definitionsOf, fieldOfKey, sideOf } from './sides.ts';

const SAMPLE_ROWS = 10_000;
const TIMEOUT_MS = 5_000;

export interface KeyCheck {
  leftUnique: boolean;
  rightUnique: boolean | null;
  overlap: number;
}

/**
 * Whether the keys are unique and match, from the rows that the caller may see; null where those cannot be read. Throws
 * the errors of keys that do not compare, or that the caller may not use.
 */
export async function checkBlend(deps: BlendDeps, blend: BlendRecord, principal: Principal): Promise<KeyCheck | null> {
  const definitions = await definitionsOf(deps.definitions, blend);
  const compared = comparedKeys(blend, definitions);
  if ('issues' in compared) throw keyError(compared.issues);
  const { keys, kinds } = compared;
  const [left, right] = await Promise.all(
    (['left', 'right'] as const).map((side) =>
      compileSide(
        deps,
        definitions[side]!,
        {
          ...{ side, ...sideOf(blend, side), columns: [], filters: [] },
          keys: blend.keys.map((key) => fieldOfKey(key, side)),
        },
        { principal, timezone: 'UTC' },
      ),
    ),
  );
  const request: BlendRequest = {
    workspaceId: blend.workspaceId,
    left: { ...left!.statement, sampleRows: SAMPLE_ROWS },
    right: right!.statement,
    keys: keys.map((key, index) => ({
      ...key,
      left: { column: left!.keyColumns[index]!, kind: kinds[index]!.left },
      right: { column: right!.keyColumns[index]!, kind: kinds[index]!.right },
    })),
    pushedKeys: [],
    result: { columns: [{ side: 'left', column: 'c1', name: 'key' }], join: 'inner', sort: [] },
    limit: 1,
    maxBytes: 1024 * 1024,
    timeoutMs: TIMEOUT_MS,
    timezone: 'UTC',
  };
  request.pushedKeys = pushedKeys(request, definitions.right as ModelDefinition);
  try {
    const { statistics, pushedDown } = await deps.runBlend(request);
    const { leftRows, matchedLeft, leftMultiplicity, rightMultiplicity } = statistics;
    return {
      leftUnique: leftMultiplicity <= 1,
      rightUnique: pushedDown ? null : rightMultiplicity <= 1,
      overlap: leftRows === 0 ? 0 : overlapOf(matchedLeft / leftRows),
    };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** To four decimals; 1 only if every row matches, and 0 only if none does. */
const overlapOf = (part: number): number =>
  part === 0 || part === 1 ? part : Math.min(0.9999, Math.max(0.0001, Math.round(part * 10_000) / 10_000));
