import { AwsError } from '../../../core/aws-error.ts';
import type { FaultErrors } from '../../../core/operations.ts';

export const faultErrors: FaultErrors = {
  throttled: () => new AwsError('ThrottlingException', 'Rate exceeded'),
  internal: () => new AwsError('ServerException', 'Service Unavailable. Please try again later.', { status: 500 }),
};

export function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}

/** ECS's error for an invalid request. */
export function clientError(message: string): AwsError {
  return new AwsError('ClientException', message);
}

export function noCluster(): AwsError {
  return new AwsError('ClusterNotFoundException', 'Cluster not found.');
}
