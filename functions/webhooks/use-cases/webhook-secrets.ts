import type { SecretBox } from '../../../shared/crypto/secret-box.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import { findHeaderFaults } from '../../../shared/net/header-faults.ts';
import type { StoredWebhook } from '../../../shared/webhooks/records.ts';

/** The stored form of custom headers: sealed, with the names readable. Throws every fault of the headers. */
export async function sealHeaders(
  secrets: SecretBox,
  workspaceId: string,
  headers: Record<string, string>,
): Promise<Pick<StoredWebhook, 'headerNames' | 'sealedHeaders'>> {
  const faults = findHeaderFaults(headers);
  if (faults.length > 0) throw new AppError('VALIDATION_FAILED', { errors: faults });
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headerNames };
  return { headerNames, sealedHeaders: await secrets.seal(workspaceId, JSON.stringify(headers)) };
}
