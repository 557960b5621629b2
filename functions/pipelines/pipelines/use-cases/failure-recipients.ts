import type { StoredPipeline } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';

export interface RecipientDeps {
  members(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Sends emails about the pipeline again to a person who has ended them by the link in one of them. */
  resumeMails(person: Principal, pipelineId: string): Promise<void>;
}

/**
 * The people to notify of failed runs, as stored. Those who were named before may have left the workspace. Throws
 * `VALIDATION_FAILED` for others who are not members.
 */
export async function changedRecipients(
  deps: RecipientDeps,
  command: { principal: Principal; failureRecipients?: readonly string[]; apiUrl: string },
  before?: StoredPipeline,
): Promise<Pick<StoredPipeline, 'failureMail'>> {
  const { principal, failureRecipients: userIds, apiUrl } = command;
  if (userIds === undefined) return {};
  const named = new Set(before?.failureMail?.userIds);
  const members = await deps.members(principal.workspaceId, userIds);
  const errors = userIds.flatMap((userId, index) =>
    members.has(userId) || named.has(userId)
      ? []
      : [{ pointer: `/failureRecipients/${index}`, code: 'NOT_FOUND', message: 'is no member of the workspace' }],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  const { kind, userId } = principal;
  // People who add themselves want the emails; others cannot undo what a person has chosen.
  const isOwnWish = kind === 'user' && userIds.includes(userId) && !named.has(userId);
  if (before && isOwnWish) await deps.resumeMails(principal, before.id);
  return { failureMail: { userIds, apiUrl } };
}
