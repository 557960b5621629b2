import { principalOfKeyId } from '../../../platform/auth/authenticate.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { memberPrincipal, readWorkspace } from '../../tenancy/workspaces/index.ts';
import type { RightsDeps } from './table-rights.ts';

/** Who has defined what stores or sends rows: a person, or an API key, which has rights of its own. */
export interface Definer {
  userId: string;
  keyId?: string;
}

export const definerOf = ({ kind, userId, credentialId }: Principal): Definer =>
  kind === 'apiKey' ? { userId, keyId: credentialId } : { userId };

/** The definer as a caller now; undefined if the person has left or the key no longer works. */
export async function definerPrincipal(
  { table, now }: Pick<RightsDeps, 'table' | 'now'>,
  workspaceId: string,
  { userId, keyId }: Definer,
): Promise<Principal | undefined> {
  if (keyId !== undefined) return principalOfKeyId(table, { workspaceId, keyId }, now());
  const workspace = await readWorkspace(table, workspaceId);
  return workspace && memberPrincipal(table, { workspaceId, companyId: workspace.companyId, userId });
}
