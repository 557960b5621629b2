import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { findHeaderIssues } from '../../../platform/net/header-issues.ts';

/** How long requests are also signed with the previous secret. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** The credentials of a receiver as stored: encrypted, because all may be secret. */
export interface ReceiverSecrets {
  headerNames: string[];
  sealedHeaders?: string;
  sealedSecret?: string;
  /** The previous secret, which also signs requests for a day after a change. */
  sealedPreviousSecret?: string;
  previousSecretUntil?: string;
}

/** Custom headers as stored: encrypted, with readable names. Throws every issue of the headers. */
export async function sealHeaders(
  secrets: SecretBox,
  workspaceId: string,
  headers: Record<string, string>,
): Promise<Pick<ReceiverSecrets, 'headerNames' | 'sealedHeaders'>> {
  const issues = findHeaderIssues(headers);
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headerNames };
  return { headerNames, sealedHeaders: await secrets.seal(workspaceId, JSON.stringify(headers)) };
}

type ChangedSecret = Partial<
  Record<'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretUntil', string | undefined>
>;

/** A receiver at another origin has never known the previous secret. */
export const NO_PREVIOUS_SECRET: ChangedSecret = { sealedPreviousSecret: undefined, previousSecretUntil: undefined };

/** The members of a receiver that change with its secret; it has a day to adopt the new one. */
export async function changedSecret(
  secrets: SecretBox,
  current: Pick<ReceiverSecrets, 'sealedSecret'> & { workspaceId: string },
  secret: string | null,
  now: Date,
): Promise<ChangedSecret> {
  if (secret === null) return { sealedSecret: undefined, ...NO_PREVIOUS_SECRET };
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

/** Whether requests would go to another scheme, host or port. */
export function leavesOrigin(current: { url: string }, url: string | undefined): boolean {
  return url !== undefined && URL.parse(url)?.origin !== URL.parse(current.url)?.origin;
}

/**
 * A caller who may change the address must not thereby receive headers and signatures that are meant for another one.
 */
export function originIssues(
  current: Pick<ReceiverSecrets, 'sealedHeaders' | 'sealedSecret'>,
  change: { headers?: object | undefined; secret?: string | null | undefined; generateSecret?: boolean | undefined },
): Issue[] {
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
