import type { AccessRequest, Place, Requirements } from '../../core/access/authorizer.ts';
import { arnOf } from './place.ts';

interface Input {
  logGroupName?: string;
  logGroupIdentifier?: string;
  logStreamName?: string;
  resourceArn?: string;
}

export const logsRequests: Requirements = (operation, input: Input, place) => {
  const { resourceArn, logGroupIdentifier, logGroupName = logGroupIdentifier ?? '', logStreamName = '' } = input;
  return [
    {
      action: `logs:${operation}`,
      resource: resourceArn ?? arnOf('logs', place, `log-group:${logGroupName}:log-stream:${logStreamName}`),
    },
  ];
};

/** What a function or a task needs to write to its log. */
export function writeLog(group: string, stream: string, place: Place): AccessRequest[] {
  const resource = arnOf('logs', place, `log-group:${group}:log-stream:${stream}`);
  return [
    { action: 'logs:CreateLogStream', resource },
    { action: 'logs:PutLogEvents', resource },
  ];
}
