import { type accessSchemas, OBJECT_KINDS, type ObjectType } from '../../../shared/domains/tenancy/grants/index.ts';
import type { Permission } from '../../../shared/platform/auth/permissions.ts';
import type { Product } from '../../../shared/platform/entitlements/products.ts';
import type { ErrorCode } from '../../../shared/platform/errors/catalogue.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { CursorQuery, type idParams } from '../../../shared/platform/http/schemas.ts';

interface Accessible<T extends ObjectType> {
  type: T;
  /** Its name in operations, such as `SavedQuery`. */
  title: string;
  /** Its name in sentences, such as `saved query`. */
  noun: string;
  permission: Permission;
  product?: Product;
  notFound: ErrorCode;
  /** What the level `editor` allows. */
  editors: string;
  params: ReturnType<typeof idParams>;
  schemas: ReturnType<typeof accessSchemas<T>>;
}

/** The operations that list, grant and revoke access to one object of a kind. */
export function accessRoutes<T extends ObjectType>(kind: Accessible<T>) {
  const { type, title, noun, permission, product, notFound, editors, params } = kind;
  const { Access, AccessPage, AccessParams, SetAccess } = kind.schemas;
  const path = `${OBJECT_KINDS[type].path}/{id}/access` as const;
  const shared = { permission, ...(product && { product }) };
  return {
    listAccess: defineRoute({
      operationId: `list${title}Access`,
      method: 'GET',
      path,
      summary: `List access to a ${noun}`,
      description: 'The users and groups to whom access is granted. Roles give access without being listed here.',
      ...shared,
      grant: { type, level: 'editor', param: 'id' },
      params,
      query: CursorQuery,
      success: { status: 200, body: AccessPage },
      errors: [notFound, 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
    }),
    setAccess: defineRoute({
      operationId: `set${title}Access`,
      method: 'PUT',
      path: `${path}/{granteeType}/{granteeId}`,
      summary: `Set access to a ${noun}`,
      description: `Grants the level to a user or to the members of a group, or changes it. ${editors}`,
      ...shared,
      params: AccessParams,
      body: SetAccess,
      success: { status: 200, body: Access },
      errors: [notFound, 'MEMBER_NOT_FOUND', 'GROUP_NOT_FOUND'],
      audit: 'access.granted',
    }),
    revokeAccess: defineRoute({
      operationId: `revoke${title}Access`,
      method: 'DELETE',
      path: `${path}/{granteeType}/{granteeId}`,
      summary: `Revoke access to a ${noun}`,
      description: 'Revoking access that is not granted changes nothing.',
      ...shared,
      params: AccessParams,
      success: { status: 204 },
      errors: [notFound],
      audit: 'access.revoked',
    }),
  };
}
