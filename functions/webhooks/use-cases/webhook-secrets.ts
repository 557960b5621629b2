import { randomBytes } from 'node:crypto';
import type { StoredWebhook } from '../../../shared/domains/webhooks/index.ts';
import type { SecretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import { findHeaderIssues } from '../../../shared/platform/net/header-issues.ts';
import type { UpdateWebhook } from '../schemas.ts';

/** How long deliveries are also signed with the previous secret. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Custom headers as stored: encrypted, with readable names. Throws every issue of the headers. */
export async function sealHeaders(
  secrets: SecretBox,
  workspaceId: string,
  headers: Record<string, string>,
): Promise<Pick<StoredWebhook, 'headerNames' | 'sealedHeaders'>> {
  const issues = findHeaderIssues(headers);
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headerNames };
  return { headerNames, sealedHeaders: await secrets.seal(workspaceId, JSON.stringify(headers)) };
}

/**
 * The secret for a request: the given one, a generated one, null for none, undefined for no change. Throws if the
 * request has both.
 */
export function chosenSecret(asked: { secret?: string | null; generateSecret?: boolean }): {
  secret: string | null | undefined;
  shown: string | undefined;
} {
  if (!asked.generateSecret) return { secret: asked.secret, shown: undefined };
  if (asked.secret !== undefined) {
    const message = 'cannot be given together with generateSecret';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/secret', code: 'CONFLICT', message }] });
  }
  // In the form of Standard Webhooks, which allows keys of 24 to 64 bytes.
  const shown = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret: shown, shown };
}

/** The members of a webhook that change with its secret; receivers have a day to adopt the new one. */
export async function changedSecret(
  secrets: SecretBox,
  current: StoredWebhook,
  secret: string | null,
  now: Date,
): Promise<Partial<Record<keyof StoredWebhook, string | undefined>>> {
  if (secret === null) {
    return { sealedSecret: undefined, sealedPreviousSecret: undefined, previousSecretUntil: undefined };
  }
  return {
    sealedSecret: await secrets.seal(current.workspaceId, secret),
    ...(current.sealedSecret === undefined
      ? {}
      : {
          sealedPreviousSecret: current.sealedSecret,
          previousSecretUntil: new Date(now.getTime() + OVERLAP_MS).toISOString(),
        }),
  };
}

/** Whether the webhook would be sent to another scheme, host or port. */
export function leavesOrigin(current: Pick<StoredWebhook, 'url'>, url: string | undefined): boolean {
  return url !== undefined && URL.parse(url)?.origin !== URL.parse(current.url)?.origin;
}

/** A caller who may change the address must not thereby receive headers and signatures that are meant for another one. */
export function originIssues(current: StoredWebhook, change: UpdateWebhook): Issue[] {
  const because = 'because url has another origin';
  const issues: Issue[] = [];
  if (current.sealedHeaders !== undefined && change.headers === undefined) {
    issues.push({
      pointer: '/headers',
      code: 'REQUIRED',
      message: `are needed again ${because}; send {} to remove them`,
    });
  }
  if (current.sealedSecret !== undefined && change.secret === undefined && !change.generateSecret) {
    issues.push({
      pointer: '/secret',
      code: 'REQUIRED',
      message: `is needed again ${because}; send null to remove it`,
    });
  }
  return issues;
}
