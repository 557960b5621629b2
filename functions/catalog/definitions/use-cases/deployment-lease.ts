import type { DeploymentLease } from '../../../../shared/domains/catalog/definitions/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { DeploymentLeaseReply } from '../schemas.ts';
import type { Context } from './context.ts';

interface Command {
  project: string;
  id: string;
  client: string;
  seconds: number;
}

/** Takes the lease, or extends it. Throws `DEPLOYMENT_LEASED` if another deployment has it. */
export async function holdLease(
  { leases, workspaceId, userId, now }: Context,
  { seconds, ...command }: Command,
): Promise<DeploymentLeaseReply> {
  const at = now();
  const leaseUntil = at.getTime() + seconds * 1000;
  const wanted = { ...command, workspaceId, userId, startedAt: at.toISOString(), leaseUntil };
  const held = await leases.hold(wanted, at);
  if (held.id !== command.id || held.userId !== userId) {
    const { id: _, ...lease } = replyOf(held);
    throw new AppError('DEPLOYMENT_LEASED', { members: { lease } });
  }
  return replyOf(held);
}

/** Throws `DEPLOYMENT_LEASE_NOT_FOUND` if the caller does not have the lease, or not any more. */
export async function releaseLease(
  { leases, workspaceId, userId }: Context,
  { project, id }: Pick<Command, 'project' | 'id'>,
): Promise<void> {
  const wasHeld = await leases.release({ workspaceId, project, id, userId });
  if (!wasHeld) throw new AppError('DEPLOYMENT_LEASE_NOT_FOUND');
}

const replyOf = ({ project, id, userId, client, startedAt, leaseUntil }: DeploymentLease): DeploymentLeaseReply => ({
  ...{ project, id, userId, client, startedAt },
  expiresAt: new Date(leaseUntil).toISOString(),
});
