import { ListExecutionsCommand, ListStateMachinesCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { TestStepFunctions } from '../../testing/step-functions.ts';

const clock = new ManualClock();
let cloud: TestStepFunctions;
let machine: string;
beforeEach(async () => {
  cloud = await TestStepFunctions.open({ clock });
  cloud.lambda.answer('work', (_event, call) => call);
  machine = await cloud.machine({
    StartAt: 'Call',
    States: {
      Call: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: { FunctionName: 'work' },
        Output: '{% $states.result.Payload %}',
        End: true,
      },
    },
  });
});
afterEach(() => cloud.dispose());

const service = 'states';
const executions = async () =>
  (await cloud.client.send(new ListExecutionsCommand({ stateMachineArn: machine }))).executions!.length;

it('a throttled call is rejected and changes nothing', async () => {
  cloud.faults.replace([{ service, operation: 'StartExecution', effect: 'throttle', times: 1 }]);
  await expect(cloud.execute(machine)).rejects.toMatchObject({ name: 'ThrottlingException' });
  expect(await executions()).toBe(0);
  expect((await cloud.ended(await cloud.execute(machine))).status).toBe('SUCCEEDED');
});

it('a call whose answer is lost has its effect, so that repeating it finds the execution', async () => {
  cloud.faults.replace([{ service, operation: 'StartExecution', effect: 'lostAnswer', times: 1 }]);
  await expect(cloud.execute(machine, {}, 'once')).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
  expect(await executions()).toBe(1);
});

it('an internal error answers 500', async () => {
  cloud.faults.replace([{ service, operation: 'ListStateMachines', effect: 'error', times: 1 }]);
  await expect(cloud.client.send(new ListStateMachinesCommand({}))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 500 },
  });
});

it('a duplicated task calls its function twice, and the first result counts', async () => {
  cloud.faults.replace([{ service, operation: 'Task', resource: 'work', effect: 'duplicate', times: 1 }]);
  expect((await cloud.ended(await cloud.execute(machine))).result).toBe(1);
  expect(cloud.lambda.calls).toHaveLength(2);
});

it('a task hit by a fault fails with an error of the called service', async () => {
  cloud.faults.replace([{ service, operation: 'Task', effect: 'error', times: 1 }]);
  expect(await cloud.ended(await cloud.execute(machine))).toMatchObject({
    status: 'FAILED',
    error: 'Lambda.ServiceException',
  });
  expect(cloud.lambda.calls).toEqual([]);
});

it('a delayed task calls its function late', async () => {
  cloud.faults.replace([{ service, operation: 'Task', effect: 'delay', delayMs: 5000, times: 1 }]);
  const execution = await cloud.execute(machine);
  await clock.advance(4999);
  expect(cloud.lambda.calls).toEqual([]);
  await clock.advance(1);
  expect((await cloud.ended(execution)).result).toBe(1);
});
