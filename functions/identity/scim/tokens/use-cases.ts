import type { ScimToken, ScimTokens } from '../../../../shared/domains/identity/provisioning/index.ts';
import type { WorkspaceRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { CreatedScimToken, ScimTokenList, ShownScimToken } from './schemas.ts';

interface Deps {
  tokens: ScimTokens;
  newToken: () => { value: string; prefix: string };
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  /** Lists the members of a workspace among the users that a token can see. */
  now(): Date;
}

interface Command {
  id: string;
  name: string;
  workspaceId: string;
  baseUrl: string;
}

export async function createScimToken(
  deps: Deps,
  { companyId, userId }: Principal,
  { id, name, workspaceId, baseUrl }: Command,
): Promise<CreatedScimToken> {
  const workspace = await deps.workspace(workspaceId);
  if (workspace?.companyId !== companyId) {
    const issue = {
      pointer: '/workspaceId',
      code: 'WORKSPACE_NOT_FOUND',
      message: 'must be a workspace of the company',
    };
    throw new AppError('VALIDATION_FAILED', { errors: [issue] });
  }
  const { value, prefix } = deps.newToken();
  const next: ScimToken = {
    id,
    companyId,
    workspaceId,
    name,
    prefix,
    digest: secretDigest(value),
    createdBy: userId,
    createdAt: deps.now().toISOString(),
    lastUsedAt: null,
  };
  let token = await deps.tokens.create(next);
  if (token.digest !== next.digest) {
    // An earlier try of this request crashed before its reply was stored. The value of its token is lost, so a new
    // token replaces it.
    await deps.tokens.remove(token);
    token = await deps.tokens.create(next);
  }
  return { ...showToken(token), token: value, baseUrl };
}

export async function listScimTokens(
  deps: Pick<Deps, 'tokens'>,
  companyId: string,
  baseUrl: string,
): Promise<ScimTokenList> {
  const items = (await deps.tokens.list(companyId)).map(showToken);
  return { items, total: items.length, baseUrl };
}

export async function deleteScimToken(
  deps: Pick<Deps, 'tokens'>,
  companyId: string,
  id: string,
): Promise<ShownScimToken> {
  const token = await deps.tokens.get(companyId, id);
  if (!token || !(await deps.tokens.remove(token))) throw new AppError('SCIM_TOKEN_NOT_FOUND');
  return showToken(token);
}

const showToken = ({ digest: _digest, companyId: _company, ...token }: ScimToken): ShownScimToken => token;
