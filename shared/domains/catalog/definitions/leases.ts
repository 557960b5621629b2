import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { fromAttributes, type Table } from '../../../platform/storage/table.ts';

/** The right to deploy a project, which one deployment has at a time. */
export interface DeploymentLease {
  workspaceId: string;
  project: string;
  /** Chosen by the deployment that has the lease. */
  id: string;
  userId: string;
  /** Where the deployment runs, as it says. */
  client: string;
  startedAt: string;
  /** In milliseconds. A deployment that has not extended the lease until then has ended. */
  leaseUntil: number;
}

export interface DeploymentLeases {
  /** Takes or extends the lease. Returns the one of another deployment if that has it. */
  hold(lease: DeploymentLease, now: Date): Promise<DeploymentLease>;
  /** Returns false if the user does not have the lease, or not any more. */
  release(lease: Pick<DeploymentLease, 'workspaceId' | 'project' | 'id' | 'userId'>): Promise<boolean>;
}

/** An item is removed some time after its lease. */
const RETENTION_SECONDS = 60 * 60;

export function deploymentLeases(table: Table): DeploymentLeases {
  const keyOf = ({ workspaceId, project }: Pick<DeploymentLease, 'workspaceId' | 'project'>) =>
    workspaceKey(workspaceId, 'DEPLOYMENT', project);
  const expiryOf = ({ leaseUntil }: DeploymentLease) => Math.ceil(leaseUntil / 1000) + RETENTION_SECONDS;

  async function take(lease: DeploymentLease, now: Date): Promise<DeploymentLease> {
    try {
      await table.db.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...keyOf(lease), entity: 'deployment-lease', ...lease, expiresAt: expiryOf(lease) },
          ConditionExpression: 'attribute_not_exists(pk) OR leaseUntil <= :now',
          ExpressionAttributeValues: { ':now': now.getTime() },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return lease;
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException) || !cause.Item) throw cause;
      return fromAttributes(cause.Item) as unknown as DeploymentLease;
    }
  }

  return {
    async hold(lease, now) {
      const held = await take(lease, now);
      if (held === lease || held.id !== lease.id || held.userId !== lease.userId) return held;
      const isExtended = await ifHolds(
        table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key: keyOf(lease),
            UpdateExpression: 'SET leaseUntil = :until, expiresAt = :expiry',
            ConditionExpression: 'id = :id AND userId = :user',
            ExpressionAttributeValues: {
              ...{ ':until': lease.leaseUntil, ':expiry': expiryOf(lease) },
              ...{ ':id': lease.id, ':user': lease.userId },
            },
          }),
        ),
      );
      // It was given back, and perhaps taken by another deployment, in between.
      return isExtended ? { ...held, leaseUntil: lease.leaseUntil } : take(lease, now);
    },

    release: (lease) =>
      ifHolds(
        table.db.send(
          new DeleteCommand({
            TableName: table.name,
            Key: keyOf(lease),
            ConditionExpression: 'id = :id AND userId = :user',
            ExpressionAttributeValues: { ':id': lease.id, ':user': lease.userId },
          }),
        ),
      ),
  };
}
