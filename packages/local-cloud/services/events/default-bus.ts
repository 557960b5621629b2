import { AwsError } from '../../core/aws-error.ts';
import type { CloudContext } from '../../core/service.ts';

/** Only the default bus exists, by name or ARN. Throws `ResourceNotFoundException` for any other. */
export function checkBus(context: Pick<CloudContext, 'region' | 'accountId'>, nameOrArn: string | undefined): void {
  const arn = `arn:aws:events:${context.region}:${context.accountId}:event-bus/default`;
  if (nameOrArn === undefined || nameOrArn === 'default' || nameOrArn === arn) return;
  throw new AwsError('ResourceNotFoundException', `Event bus ${nameOrArn} does not exist.`);
}
