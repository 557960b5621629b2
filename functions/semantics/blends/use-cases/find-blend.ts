import {
  type BlendRecord,
  comparedKeys,
  definitionsOf,
  fieldOfKey,
} from '../../../../shared/domains/semantics/blends/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { searching } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Blend, BlendDetails, BlendListQuery } from '../schemas.ts';
import type { BlendGroupDeps, Named } from './context.ts';

export async function findBlend({ blends }: Pick<BlendGroupDeps, 'blends'>, { workspaceId, id }: Named) {
  const blend = await blends.get(workspaceId, id);
  if (!blend) throw new AppError('BLEND_NOT_FOUND');
  return blend;
}

export async function listBlends(
  deps: Pick<BlendGroupDeps, 'blends' | 'definitions'>,
  workspaceId: string,
  { search, ...request }: BlendListQuery,
): Promise<PageOf<Blend>> {
  const matches = searching(search, ({ name, description }: BlendRecord) => [name, description ?? '']);
  const page = await deps.blends.list(workspaceId, { ...request, matches });
  return { ...page, items: await Promise.all(page.items.map((blend) => showBlend(deps, blend))) };
}

/** The blend, whether its sides still compare, and what shows it, as far as the caller may see that. */
export async function blendDetails(
  deps: BlendGroupDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<BlendDetails> {
  const named = { workspaceId: principal.workspaceId, id };
  const blend = await findBlend(deps, named);
  const compared = comparedKeys(blend, await definitionsOf(deps.definitions, blend));
  const issues = 'issues' in compared ? compared.issues : [];
  return {
    ...(await showBlend(deps, blend)),
    stale: issues.length > 0,
    diagnostics: issues.map(({ pointer, code, message }) => ({ pointer, code, message })),
    usedBy: await deps.usedBy(principal, id),
  };
}

/** Fields are known by their ids, so the names are those of now. */
export async function showBlend(
  { definitions }: Pick<BlendGroupDeps, 'definitions'>,
  blend: BlendRecord,
): Promise<Blend> {
  const { left, right } = await definitionsOf(definitions, blend);
  const keys = blend.keys.map((key) => {
    const [leftId, rightId] = [fieldOfKey(key, 'left'), fieldOfKey(key, 'right')];
    return {
      left: left?.fields.get(leftId)?.name ?? leftId,
      right: right?.fields.get(rightId)?.name ?? rightId,
      ...key,
    };
  });
  return { ...blend, keys };
}
