import { SendTaskFailureCommand, SendTaskHeartbeatCommand, SendTaskSuccessCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AwsError } from '../../core/aws-error.ts';
import { ManualClock } from '../../core/clock.ts';
import { FunctionFailure } from '../../testing/recording-ports.ts';
import { ROLE, TestStepFunctions } from '../../testing/step-functions.ts';

const clock = new ManualClock();
let cloud: TestStepFunctions;
beforeEach(async () => {
  cloud = await TestStepFunctions.open({ clock });
});
afterEach(() => cloud.dispose());

const task = (fields: object) => ({ StartAt: 'Call', States: { Call: { Type: 'Task', ...fields, End: true } } });
const invoke = (fields: object = {}) =>
  task({ Resource: 'arn:aws:states:::lambda:invoke', Arguments: { FunctionName: 'work', Payload: {} }, ...fields });

describe('lambda:invoke', () => {
  it('passes the payload and wraps what the function returns', async () => {
    cloud.lambda.answer('work', (event) => ({ got: event }));
    const ended = await cloud.run(
      invoke({ Arguments: { FunctionName: 'work', Payload: '{% $states.input %}' }, Output: '{% $states.result %}' }),
      { a: 1 },
    );
    expect(ended.result).toEqual({
      ExecutedVersion: '$LATEST',
      Payload: { got: { a: 1 } },
      SdkHttpMetadata: { HttpStatusCode: 200 },
      StatusCode: 200,
    });
    const types = (await cloud.history(ended.executionArn!)).map(({ type }) => type);
    expect(types).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
  });

  it('calls the qualified function, and does not wait for an Event', async () => {
    cloud.lambda.answer('work:7', () => 'later');
    const Arguments = { FunctionName: 'work', Qualifier: '7', InvocationType: 'Event', Payload: { a: 1 } };
    expect((await cloud.run(invoke({ Arguments }))).result).toMatchObject({ ExecutedVersion: '7', StatusCode: 202 });
    expect(cloud.lambda.calls).toEqual([{ functionName: 'work:7', event: { a: 1 }, type: 'Event' }]);
  });

  it.each([
    [
      'a thrown error',
      new FunctionFailure({ errorType: 'OrderError', errorMessage: 'no' }),
      'OrderError',
      '{"errorType":"OrderError","errorMessage":"no"}',
    ],
    [
      'a sandbox timeout',
      new FunctionFailure({ errorType: 'Sandbox.Timedout', errorMessage: 'x' }),
      'Sandbox.Timedout',
      '{"errorType":"Sandbox.Timedout","errorMessage":"x"}',
    ],
    [
      'a failure without a type',
      new FunctionFailure({ errorMessage: 'x' }),
      'Lambda.Unknown',
      'The cause could not be determined because Lambda did not return an error type. Returned payload: {"errorMessage":"x"}',
    ],
    [
      'throttling',
      new AwsError('TooManyRequestsException', 'Rate Exceeded.', { status: 429 }),
      'Lambda.TooManyRequestsException',
      'Rate Exceeded. (Service: Lambda, Status Code: 429)',
    ],
    [
      'a service error',
      new AwsError('ServiceException', 'Internal', { status: 500 }),
      'Lambda.ServiceException',
      'Internal (Service: Lambda, Status Code: 500)',
    ],
    [
      'missing rights',
      new AwsError('AccessDeniedException', 'not allowed', { status: 403 }),
      'States.Permissions',
      'not allowed',
    ],
  ])('names the error of %s', async (_what, answer, error, cause) => {
    cloud.lambda.answer('work', () => answer);
    expect(await cloud.run(invoke())).toMatchObject({ status: 'FAILED', error, cause });
  });

  it('fails for an unknown function and a broken connection', async () => {
    expect(await cloud.run(invoke())).toMatchObject({ error: 'Lambda.ResourceNotFoundException' });
    cloud.lambda.answer('work', () => Promise.reject(new Error('socket hang up')));
    expect(await cloud.run(invoke())).toMatchObject({ error: 'Lambda.SdkClientException' });
  });

  it('rejects unknown arguments in the result of an expression', async () => {
    expect(await cloud.run(invoke({ Arguments: "{% {'FunctionName': 'work', 'LogType': 'Tail'} %}" }))).toMatchObject({
      error: 'States.Runtime',
      cause: expect.stringContaining("'LogType'"),
    });
  });

  it('fails with States.DataLimitExceeded for a result above 256 KiB, which States.ALL does not catch', async () => {
    cloud.lambda.answer('work', () => 'x'.repeat(262_144));
    const machine = {
      StartAt: 'Call',
      States: {
        Call: { ...invoke({ Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }] }).States.Call },
        Caught: { Type: 'Succeed' },
      },
    };
    expect(await cloud.run(machine)).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
  });

  it("times out after TimeoutSeconds and drops the function's late answer", async () => {
    let finish: (value: unknown) => void = () => undefined;
    cloud.lambda.answer('work', () => new Promise((resolve) => (finish = resolve)));
    const execution = await cloud.execute(await cloud.machine(invoke({ TimeoutSeconds: '{% $states.input.t %}' })), {
      t: 30,
    });
    await cloud.when(
      () => cloud.lambda.calls.length,
      (calls) => calls === 1,
    );
    await clock.advance(30_000);
    finish('late');

    expect(await cloud.ended(execution)).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
    const types = (await cloud.history(execution)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['TaskTimedOut', 'ExecutionFailed']);
  });
});

describe('a plain function ARN', () => {
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:work';

  it('passes the input as the event and returns what the function returns', async () => {
    cloud.lambda.answer(arn, (event) => ({ got: event }));
    const ended = await cloud.run(task({ Resource: arn }), { a: 1 });
    expect(ended.result).toEqual({ got: { a: 1 } });
    const types = (await cloud.history(ended.executionArn!)).map(({ type }) => type);
    expect(types.slice(2, 5)).toEqual(['LambdaFunctionScheduled', 'LambdaFunctionStarted', 'LambdaFunctionSucceeded']);
  });
});

describe('sqs:sendMessage', () => {
  const send = (QueueUrl: string) =>
    task({
      Resource: 'arn:aws:states:::sqs:sendMessage',
      Arguments: { QueueUrl, MessageBody: { id: '{% $states.input.id %}' }, DelaySeconds: 5, MessageGroupId: 'g' },
    });

  it('sends the body as JSON text, as the role of the machine', async () => {
    const { result } = await cloud.run(send('http://127.0.0.1:1/000000000000/orders'), { id: 7 });
    const caller = expect.objectContaining({ type: 'role', roleArn: ROLE });
    expect(cloud.sqs.sent).toEqual([
      {
        caller,
        queueArn: 'arn:aws:sqs:us-east-1:000000000000:orders',
        body: '{"id":7}',
        delaySeconds: 5,
        messageGroupId: 'g',
      },
    ]);
    expect(result).toMatchObject({ MessageId: 'message-1', MD5OfMessageBody: expect.stringMatching(/^[\da-f]{32}$/) });
  });

  it('fails for a queue that does not exist', async () => {
    const ended = await cloud.run(send('http://127.0.0.1:1/000000000000/missing'), { id: 7 });
    expect(ended).toMatchObject({ status: 'FAILED', error: 'Sqs.QueueDoesNotExistException' });
  });
});

describe('states:startExecution', () => {
  it('starts another execution without waiting', async () => {
    const inner = await cloud.machine({ StartAt: 'End', States: { End: { Type: 'Succeed' } } });
    const start = (Name: string) =>
      task({
        Resource: 'arn:aws:states:::states:startExecution',
        Arguments: { StateMachineArn: inner, Name, Input: { from: '{% $states.context.Execution.Name %}' } },
      });
    const outer = await cloud.run(start('inner-1'));
    const { ExecutionArn } = outer.result as { ExecutionArn: string };
    expect(JSON.parse((await cloud.ended(ExecutionArn)).input!)).toEqual({ from: outer.name });

    expect(await cloud.run(start('inner-1'))).toMatchObject({ error: 'Sfn.ExecutionAlreadyExistsException' });
  });
});

describe('a task token', () => {
  const waiting = (fields: object = {}) =>
    task({
      Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      Arguments: { QueueUrl: 'http://h/000000000000/q', MessageBody: { token: '{% $states.context.Task.Token %}' } },
      ...fields,
    });
  const begin = async (fields: object = {}) => {
    const execution = await cloud.execute(await cloud.machine(waiting(fields)));
    const sent = await cloud.when(
      () => cloud.sqs.sent,
      ({ length }) => length > 0,
    );
    return { execution, taskToken: (JSON.parse(sent[0]!.body) as { token: string }).token };
  };

  it('settles its task once; afterwards the task no longer exists', async () => {
    const { execution, taskToken } = await begin();
    await cloud.client.send(new SendTaskSuccessCommand({ taskToken, output: '{"a":1}' }));
    expect((await cloud.ended(execution)).result).toEqual({ a: 1 });
    await expect(cloud.client.send(new SendTaskSuccessCommand({ taskToken, output: '1' }))).rejects.toMatchObject({
      name: 'TaskTimedOut',
      message: "Task Timed Out: 'Provided task does not exist anymore'",
    });
  });

  it('fails its task with the given error', async () => {
    const { execution, taskToken } = await begin();
    await cloud.client.send(new SendTaskFailureCommand({ taskToken, error: 'Rejected', cause: 'too dear' }));
    expect(await cloud.ended(execution)).toMatchObject({ status: 'FAILED', error: 'Rejected', cause: 'too dear' });
  });

  it('is kept alive by heartbeats and fails without one', async () => {
    const { execution, taskToken } = await begin({ HeartbeatSeconds: 10 });
    await clock.advance(9000);
    await cloud.client.send(new SendTaskHeartbeatCommand({ taskToken }));
    await clock.advance(9000);
    await cloud.restart();
    await cloud.client.send(new SendTaskHeartbeatCommand({ taskToken }));
    await clock.advance(10_000);

    expect(await cloud.ended(execution)).toMatchObject({ status: 'FAILED', error: 'States.HeartbeatTimeout' });
    await expect(cloud.client.send(new SendTaskHeartbeatCommand({ taskToken }))).rejects.toMatchObject({
      name: 'TaskTimedOut',
    });
  });

  it('must have been issued', async () => {
    const { taskToken } = await begin();
    const unknown = `${taskToken.slice(0, -4)}AAA=`;
    const success = (token: string, output = '1') =>
      cloud.client.send(new SendTaskSuccessCommand({ taskToken: token, output }));
    await expect(success('nonsense')).rejects.toMatchObject({ name: 'InvalidToken' });
    await expect(success(unknown)).rejects.toMatchObject({ name: 'TaskDoesNotExist' });
    await expect(success(taskToken, '{')).rejects.toMatchObject({ name: 'InvalidOutput' });
  });

  it('may be answered before its call returns', async () => {
    cloud.lambda.answer('work', async (event) => {
      const { token: taskToken } = event as { token: string };
      await cloud.client.send(new SendTaskSuccessCommand({ taskToken, output: '"early"' }));
    });
    const ended = await cloud.run(
      task({
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Arguments: { FunctionName: 'work', Payload: { token: '{% $states.context.Task.Token %}' } },
      }),
    );
    expect(ended.result).toBe('early');
  });
});
