import {
  readScimAttributes,
  replaceScimAttributes,
  type ScimAttributes,
  type ScimPlace,
} from '../../../../shared/domains/identity/mapped-attributes/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { USER_TYPE } from '../protocol/attributes.ts';
import { resolvePath } from '../protocol/path.ts';
import type { SetScimAttributes, ScimAttributes as ShownAttributes } from './schemas.ts';

interface Deps {
  table: Table;
  now(): Date;
}

export const getScimAttributes = async ({ table }: Pick<Deps, 'table'>, { companyId }: Principal) =>
  showAttributes(await readScimAttributes(table, companyId));

export async function setScimAttributes(
  { table, now }: Deps,
  { companyId, userId: updatedBy }: Principal,
  { mappings: given }: SetScimAttributes,
): Promise<ShownAttributes> {
  const issues: Issue[] = [];
  const mappings = given.flatMap(({ path, attribute }, index) => {
    if (given.findIndex((each) => each.attribute === attribute) < index) {
      issues.push({ pointer: `/mappings/${index}/attribute`, code: 'DUPLICATE', message: 'is mapped twice' });
    }
    const place = resolvePlace(path);
    if (typeof place !== 'string') return [{ path, place, attribute }];
    issues.push({ pointer: `/mappings/${index}/path`, code: 'SCIM_PATH', message: place });
    return [];
  });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return onNewest('STALE_WRITE', async () => {
    const current = await readScimAttributes(table, companyId);
    const updatedAt = later(current.updatedAt ?? new Date(0).toISOString(), now());
    return showAttributes(await replaceScimAttributes(table, current, { companyId, mappings, updatedBy, updatedAt }));
  });
}

/** Where the value of a path stands in what is stored of users; a text says why it is none. */
function resolvePlace(path: string): ScimPlace | string {
  const resolved = resolvedOrNone(path);
  if (resolved?.found !== 'attribute')
    return 'must be the path of one attribute of users, such as title or name.familyName';
  const { extension, attribute, filter, sub } = resolved.target;
  if (filter) return 'must not have a filter';
  if ((sub ?? attribute).mutability === 'readOnly') return 'must be an attribute that provisioning sets';
  const needsPart = attribute.subAttributes && !sub && !attribute.subAttributes.some(({ name }) => name === 'value');
  if (needsPart) return `must name a part, such as ${attribute.name}.${attribute.subAttributes![0]!.name}`;
  return { ...(extension === undefined ? {} : { extension }), name: attribute.name, ...(sub ? { sub: sub.name } : {}) };
}

function resolvedOrNone(path: string) {
  try {
    return resolvePath(path, USER_TYPE);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const showAttributes = ({ mappings, ...settings }: ScimAttributes): ShownAttributes => ({
  ...settings,
  mappings: mappings.map(({ path, attribute }) => ({ path, attribute })),
});
