import {
  type EmbedDomain,
  type EmbedDomainRepository,
  MAX_EMBED_CHARACTERS,
  MAX_EMBED_DOMAINS,
} from '../../../../shared/domains/sharing/shares/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { embedOrigin } from '../embed-origin.ts';

export interface DomainDeps {
  domains: EmbedDomainRepository;
  now(): Date;
}

interface Named {
  principal: Principal;
  id: string;
}

/** Throws `VALIDATION_FAILED`, `EMBED_DOMAIN_TAKEN` and `TOO_MANY_EMBED_DOMAINS`. */
export async function createEmbedDomain(
  { domains, now }: DomainDeps,
  { principal: { workspaceId, userId }, id, text }: Named & { text: string },
): Promise<EmbedDomain> {
  const origin = await embedOrigin(text);
  const known = await domains.readAll(workspaceId);
  const characters = known.reduce((sum, each) => sum + each.origin.length + 1, origin.length);
  if (known.length >= MAX_EMBED_DOMAINS || characters > MAX_EMBED_CHARACTERS)
    throw new AppError('TOO_MANY_EMBED_DOMAINS');
  const at = now().toISOString();
  return domains.create({ id, workspaceId, origin, createdBy: userId, createdAt: at, updatedAt: at });
}

/** Throws `EMBED_DOMAIN_NOT_FOUND`. */
export async function deleteEmbedDomain(
  { domains }: DomainDeps,
  { principal: { workspaceId }, id }: Named,
): Promise<void> {
  const domain = await domains.get(workspaceId, id);
  if (!domain) throw new AppError('EMBED_DOMAIN_NOT_FOUND');
  await domains.remove(domain, 'EMBED_DOMAIN_NOT_FOUND');
}
