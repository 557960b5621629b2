import { DescribeStateMachineCommand, type SFNClient } from '@aws-sdk/client-sfn';
import type { MachineArns } from '../../shared/domains/pipelines/index.ts';

/** Says what is wrong with the machines that run pipelines, null when they are there. */
export async function planeIssue(client: SFNClient, machines: MachineArns): Promise<string | null> {
  try {
    const replies = await Promise.all(
      Object.values(machines).map((stateMachineArn) =>
        client.send(new DescribeStateMachineCommand({ stateMachineArn })),
      ),
    );
    return replies.every((reply) => reply.status === 'ACTIVE') ? null : 'The execution plane is being removed.';
  } catch {
    return 'The execution plane does not answer.';
  }
}
