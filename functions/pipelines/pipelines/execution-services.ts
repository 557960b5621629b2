import { DescribeStateMachineCommand, type SFNClient } from '@aws-sdk/client-sfn';
import type { MachineArns } from '../../../shared/domains/pipelines/store/index.ts';

/** Why the state machines that run pipelines are unavailable; null when they are active. */
export async function executionIssue(client: SFNClient, machines: MachineArns): Promise<string | null> {
  try {
    const replies = await Promise.all(
      Object.values(machines).map((stateMachineArn) =>
        client.send(new DescribeStateMachineCommand({ stateMachineArn })),
      ),
    );
    return replies.every((reply) => reply.status === 'ACTIVE')
      ? null
      : 'The state machines that run pipelines are being deleted.';
  } catch {
    return 'The state machines that run pipelines do not respond.';
  }
}
