import { beforeEach, describe, expect, it } from 'vitest';
import { AwsError } from '../../core/aws-error.ts';
import { type Play, PlayedMachine } from '../../testing/played-machine.ts';
import { FunctionFailure } from '../../testing/recording-ports.ts';

const call = (Payload: unknown, fields: object) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: 'work', Payload },
  ...fields,
});
const machine = (StartAt: string, States: object) => new PlayedMachine({ QueryLanguage: 'JSONata', StartAt, States });

let now: number;
let passed: number[];
beforeEach(() => {
  now = 0;
  passed = [];
});
const play = (invoke: Play['invoke'], runTask?: Play['runTask']): Play => ({
  now: () => now,
  pass: (ms) => {
    now += ms;
    passed.push(ms);
  },
  random: () => 0.5,
  invoke,
  runTask,
});
const unused = () => Promise.reject(new Error('no function is called'));

describe('a played machine', () => {
  it('lets its waits pass at once, one after the other', async () => {
    const waits = machine('First', {
      First: { Type: 'Wait', Seconds: 60, Next: 'Second' },
      Second: { Type: 'Wait', Seconds: '{% $states.input.seconds %}', End: true },
    });
    const { atRest } = waits.start('e', { seconds: 3600 }, play(unused));
    expect(await atRest).toMatchObject({ status: 'SUCCEEDED' });
    expect(passed).toEqual([60_000, 3_600_000]);
  });

  it('retries and catches as its definition says, with the random numbers of the test', async () => {
    const retried = machine('Work', {
      Work: call(
        { n: '{% $states.input.n %}' },
        {
          Retry: [{ ErrorEquals: ['Lambda.ServiceException'], IntervalSeconds: 8, JitterStrategy: 'FULL' }],
          Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput.Error %}', Next: 'End' }],
          Next: 'End',
        },
      ),
      End: { Type: 'Succeed' },
    });
    const answers = [
      new AwsError('ServiceException', 'down', { status: 500 }),
      new FunctionFailure({ errorType: 'Runtime.ExitError' }),
    ];
    const events: unknown[] = [];
    const execution = retried.start(
      'e',
      { n: 1 },
      play(async (name, event) => {
        events.push([name, event]);
        return answers.shift();
      }),
    );
    expect(await execution.atRest).toMatchObject({ status: 'SUCCEEDED', output: '"Runtime.ExitError"' });
    expect(events).toEqual([
      ['work', { n: 1 }],
      ['work', { n: 1 }],
    ]);
    expect(passed).toEqual([4000]);
  });

  it('does not time a call out that is under way, unless it takes that long', async () => {
    const limited = machine('Work', {
      Work: call(
        {},
        { TimeoutSeconds: 30, Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Late' }], Next: 'InTime' },
      ),
      Late: { Type: 'Fail', Error: 'Late' },
      InTime: { Type: 'Succeed' },
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const quick = limited.start(
      'quick',
      {},
      play(async () => {
        for (let turns = 0; turns < 10; turns++) await turn();
        return null;
      }),
    );
    expect(await quick.atRest).toMatchObject({ status: 'SUCCEEDED' });
    const slow = limited.start(
      'slow',
      {},
      play((_name, _event, time) => time.take(31_000)),
    );
    expect(await slow.atRest).toMatchObject({ status: 'FAILED', error: 'Late' });
    expect(passed).toEqual([30_000]);
  });

  it('sleeps while it awaits a token, and continues with the report of its holder', async () => {
    const sleeper = machine('Ask', {
      Ask: call('{% $states.context.Task.Token %}', {
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        TimeoutSeconds: 86_400,
        End: true,
      }),
    });
    let token = '';
    const execution = sleeper.start(
      'e',
      {},
      play(async (_name, event) => {
        token = event as string;
      }),
    );
    expect(await execution.atRest).toEqual({ status: 'asleep' });
    expect(passed).toEqual([]);
    execution.succeed(token, { done: true });
    expect(await execution.ended).toMatchObject({ status: 'SUCCEEDED', output: '{"done":true}' });
  });

  it('receives a container, awaits its end and catches its exit code', async () => {
    const task = machine('Run', {
      Run: {
        Type: 'Task',
        Resource: 'arn:aws:states:::ecs:runTask.sync',
        Arguments: { Cluster: 'c', TaskDefinition: 'f', LaunchType: 'FARGATE' },
        Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput.Error %}', Next: 'End' }],
        Output: 'fine',
        Next: 'End',
      },
      End: { Type: 'Succeed' },
    });
    for (const [exit, output] of [
      [() => Promise.resolve(0), 'fine'],
      [() => Promise.resolve(137), 'States.TaskFailed'],
      [() => new AwsError('AmazonECSException', 'Capacity is unavailable.'), 'ECS.AmazonECSException'],
    ] as const) {
      const { atRest } = task.start('e', {}, play(unused, exit));
      expect(await atRest).toMatchObject({ status: 'SUCCEEDED', output: JSON.stringify(output) });
    }
  });

  it('does nothing any more when it is stopped', async () => {
    const working = machine('Work', { Work: call({}, { Next: 'Again' }), Again: call({}, { End: true }) });
    let calls = 0;
    const execution = working.start(
      'e',
      {},
      play(async () => {
        calls += 1;
        execution.stop();
      }),
    );
    expect(await execution.atRest).toMatchObject({ status: 'ABORTED' });
    expect(calls).toBe(1);
  });

  it('does not exist with a definition that is not valid', () => {
    expect(() => machine('Work', { Work: call({}, { Next: 'Nowhere' }) })).toThrow(/Nowhere/);
  });
});
