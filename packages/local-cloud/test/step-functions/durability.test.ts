import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../../testing/step-functions.ts';

let dataDir: string;
let server: ChildProcess;
let client: SFNClient;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'step-functions-'));
  await serve();
});
afterEach(async () => {
  await kill();
  await rm(dataDir, { recursive: true });
});

const callsFile = () => join(dataDir, 'calls');

async function serve(): Promise<void> {
  const script = new URL('./support/machine-server.ts', import.meta.url).pathname;
  server = spawn(process.execPath, [script, dataDir, callsFile()], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [endpoint] = await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new SFNClient({ region: 'us-east-1', endpoint, credentials, maxAttempts: 1 });
}

async function kill(): Promise<void> {
  client.destroy();
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
}

/** Lambda calls recorded by the killed and the new process. */
function calls(what: 'begin' | 'return', functionName: string): unknown[] {
  if (!existsSync(callsFile())) return [];
  const lines = readFileSync(callsFile(), 'utf8').split('\n').filter(Boolean);
  const noted = lines.map((line) => JSON.parse(line) as [string, string, unknown]);
  return noted.filter(([kind, name]) => kind === what && name === functionName).map(([, , event]) => event);
}

async function until<T>(ask: () => T | Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function create(states: Record<string, object>): Promise<string> {
  const definition = JSON.stringify({ QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states });
  const created = await client.send(new CreateStateMachineCommand({ name: 'm', roleArn: ROLE, definition }));
  return created.stateMachineArn!;
}

async function start(stateMachineArn: string, input: unknown): Promise<string> {
  const started = await client.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
  return started.executionArn!;
}

async function output(executionArn: string): Promise<unknown> {
  const ended = await until(
    () => client.send(new DescribeExecutionCommand({ executionArn })),
    ({ status }) => status !== 'RUNNING',
  );
  return ended.output === undefined ? ended : JSON.parse(ended.output);
}

async function history(executionArn: string): Promise<HistoryEvent[]> {
  return (await client.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }))).events!;
}

const call = (FunctionName: string, Payload: unknown, fields: object) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName, Payload },
  Output: '{% $states.result.Payload %}',
  ...fields,
});

describe('after SIGKILL', () => {
  it('a finished task is not called again, and random values stay the same', async () => {
    const machine = await create({
      Draw: {
        Type: 'Pass',
        Assign: { id: '{% $uuid() %}', chance: '{% $random() %}', at: '{% $millis() %}' },
        Next: 'First',
      },
      First: call('work', '{% $id %}', { Next: 'Stuck' }),
      Stuck: call(
        'stuck',
        { id: '{% $uuid() %}', drawn: '{% [$id, $chance, $at] %}' },
        { TimeoutSeconds: 2, Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Report' }], End: true },
      ),
      Report: { Type: 'Pass', Output: '{% [$id, $chance, $at] %}', End: true },
    });
    const execution = await start(machine, {});
    await until(
      () => calls('begin', 'stuck'),
      ({ length }) => length === 1,
    );
    await kill();
    await serve();
    const resumedAt = Date.now();
    const drawn = await output(execution);

    expect(calls('begin', 'work')).toHaveLength(1);
    // The task in flight was called again with the same arguments and an unchanged deadline.
    const [before, after] = calls('begin', 'stuck') as { drawn: unknown }[];
    expect(after).toEqual(before);
    expect(before!.drawn).toEqual(drawn);
    const events = await history(execution);
    const at = (type: string, last = false) =>
      events[last ? 'findLast' : 'find']((event) => event.type === type)!.timestamp!.getTime();
    const scheduledAt = at('TaskScheduled', true);
    // Both times are cut to whole milliseconds.
    expect(at('TaskTimedOut') - scheduledAt).toBeGreaterThanOrEqual(1999);
    // A slow restart may end after the deadline; one that moved the deadline would add two seconds.
    expect(at('TaskTimedOut')).toBeLessThan(Math.max(scheduledAt + 3000, resumedAt + 1000));
  });

  it('a Map continues with its unfinished iterations', async () => {
    const machine = await create({
      Each: {
        Type: 'Map',
        Items: [0, 1, 2, 3, 4],
        MaxConcurrency: 2,
        ItemProcessor: {
          StartAt: 'Work',
          States: {
            Work: call('work', '{% $states.input %}', { Next: 'Second' }),
            Second: {
              Type: 'Choice',
              Choices: [{ Condition: '{% $states.input = 2 %}', Next: 'Wait' }],
              Default: 'Ready',
            },
            Wait: { Type: 'Wait', Seconds: 1, Next: 'Ready' },
            Ready: { Type: 'Pass', Output: '{% $states.input * 10 %}', End: true },
          },
        },
        End: true,
      },
    });
    const execution = await start(machine, {});
    await until(
      () => history(execution),
      (events) => events.some(({ type }) => type === 'WaitStateEntered'),
    );
    await kill();
    const returned = calls('return', 'work').length;
    await serve();

    expect(await output(execution)).toEqual([0, 10, 20, 30, 40]);
    // At most the call in flight was repeated.
    expect(calls('begin', 'work').length).toBeLessThanOrEqual(6);
    expect(new Set(calls('begin', 'work')).size).toBe(5);
    expect(returned).toBeGreaterThanOrEqual(2);
    const ids = (await history(execution)).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, index) => index + 1));
  });

  it('an issued token still answers its task', async () => {
    const machine = await create({
      Ask: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Arguments: { FunctionName: 'work', Payload: { token: '{% $states.context.Task.Token %}' } },
        End: true,
      },
    });
    const execution = await start(machine, {});
    await until(
      () => history(execution),
      (events) => events.some(({ type }) => type === 'TaskSubmitted'),
    );
    await kill();
    await serve();
    const [{ token: taskToken }] = calls('begin', 'work') as [{ token: string }];
    await client.send(new SendTaskSuccessCommand({ taskToken, output: '"answered"' }));
    // An acknowledged answer is stored.
    await kill();
    await serve();

    expect(await output(execution)).toBe('answered');
    expect(calls('begin', 'work')).toHaveLength(1);
  });

  it('under load, every acknowledged execution ends, with no finished task repeated and no event lost', async () => {
    const machine = await create({
      A: call('work', { id: '{% $states.input.id %}', step: 'a' }, { Next: 'B' }),
      B: call('work', { id: '{% $states.input.id %}', step: 'b' }, { Next: 'Which' }),
      Which: { Type: 'Choice', Choices: [{ Condition: '{% $states.input.id >= 0 %}', Next: 'C' }], Default: 'C' },
      C: call('work', { id: '{% $states.input.id %}', step: 'c' }, { End: true }),
    });
    const acknowledged = new Map<number, string>();
    let next = 0;
    const starter = async () => {
      for (;;) {
        const id = next++;
        acknowledged.set(id, await start(machine, { id }));
        if (acknowledged.size === 150) server.kill('SIGKILL');
      }
    };
    await Promise.allSettled([1, 2, 3, 4].map(starter));
    await kill();
    const before = readFileSync(callsFile(), 'utf8').split('\n').length;
    await serve();

    for (const [id, execution] of acknowledged) {
      expect(await output(execution)).toEqual({ id, step: 'c' });
      const events = await history(execution);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
      expect(events.filter(({ type }) => type === 'TaskSucceeded')).toHaveLength(3);
    }
    expect(before).toBeGreaterThan(100);
    // A task is only called again if it was in flight: it had not returned, or was about to be stored.
    const begun = calls('begin', 'work').map((event) => JSON.stringify(event));
    const repeated = begun.length - new Set(begun).size;
    const inFlight = begun.length - calls('return', 'work').length;
    expect(repeated).toBeLessThanOrEqual(inFlight + 1);
    const listed = await client.send(new ListExecutionsCommand({ stateMachineArn: machine, statusFilter: 'RUNNING' }));
    expect(listed.executions).toEqual([]);
  });
});
