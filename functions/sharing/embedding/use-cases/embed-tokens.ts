import {
  assertPublished,
  type ContentDeps,
  type EmbedTokens,
  newLinkToken,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { attributeIssues } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { CreateEmbedToken, EmbedToken } from '../schemas.ts';

export interface TokenDeps extends ContentDeps {
  tokens: EmbedTokens;
  now(): Date;
}

/** Throws `VALIDATION_FAILED`, and what `assertPublished` throws. */
export async function createEmbedToken(
  deps: TokenDeps,
  { principal, id, wanted, baseUrl }: { principal: Principal; id: string; wanted: CreateEmbedToken; baseUrl: string },
): Promise<EmbedToken> {
  const { workspaceId, companyId, userId, membershipId, serviceAccountId, kind, credentialId } = principal;
  const { expiresIn, ...seen } = wanted;
  const errors = attributeIssues(seen.attributes);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  await assertPublished(deps, { workspaceId, content: { type: seen.contentType, id: seen.contentId } });
  const { token, digest } = newLinkToken('embed');
  const now = deps.now();
  const validUntil = new Date(now.getTime() + expiresIn * 1000).toISOString();
  const apiKeyId = kind === 'apiKey' ? credentialId : undefined;
  const creator = { userId, membershipId, serviceAccountId, apiKeyId };
  await deps.tokens.create(
    { id, workspaceId, companyId, ...seen, creator, createdAt: now.toISOString(), validUntil },
    digest,
  );
  return { token, jti: id, url: `${baseUrl}/e/${token}`, expiresAt: validUntil };
}
