import { SendTaskFailureCommand, SendTaskSuccessCommand, SFNClient } from '@aws-sdk/client-sfn';
import { type Answer, STEP_CONTINUES } from './answer.ts';

/**
 * Reports an answer to the step machine. `done` ends the execution; any other answer makes it continue as the answer
 * says.
 */
export type EndStep = (taskToken: string, answer: Pick<Answer, 'kind'>) => Promise<void>;

/** Replies come in bursts and their quota refills every second, so throttled ones are retried for some seconds. */
const MAX_ATTEMPTS = 6;

export function endStepWith(client = new SFNClient({ maxAttempts: MAX_ATTEMPTS })): EndStep {
  return async (taskToken, answer) => {
    try {
      if (answer.kind === 'done') await client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }));
      else {
        const continues = { taskToken, error: STEP_CONTINUES, cause: JSON.stringify(answer) };
        await client.send(new SendTaskFailureCommand(continues));
      }
    } catch (error) {
      // A task that has ended, or whose execution is gone, needs no reply.
      if (!['TaskTimedOut', 'TaskDoesNotExist'].includes((error as Error).name)) throw error;
    }
  };
}
