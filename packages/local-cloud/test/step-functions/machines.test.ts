import {
  CreateStateMachineCommand,
  DeleteStateMachineCommand,
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  DescribeStateMachineForExecutionCommand,
  ListStateMachinesCommand,
  ListTagsForResourceCommand,
  StartExecutionCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { ROLE, TestStepFunctions } from '../../testing/step-functions.ts';

const clock = new ManualClock();
let cloud: TestStepFunctions;
beforeEach(async () => {
  cloud = await TestStepFunctions.open({ clock });
});
afterEach(() => cloud.dispose());

const answer = (text: string) => ({
  QueryLanguage: 'JSONata',
  StartAt: 'Sleep',
  States: {
    Sleep: { Type: 'Wait', Seconds: 60, Next: 'Report' },
    Report: { Type: 'Pass', Output: text, End: true },
  },
});
const definition = JSON.stringify(answer('first'));
const create = (more: object = {}) =>
  cloud.client.send(new CreateStateMachineCommand({ name: 'orders', roleArn: ROLE, definition, ...more }));

describe('CreateStateMachine', () => {
  it('stores the data for DescribeStateMachine, also after a restart', async () => {
    const { stateMachineArn, creationDate } = await create();
    await cloud.restart();
    expect(stateMachineArn).toBe('arn:aws:states:us-east-1:000000000000:stateMachine:orders');
    expect(await cloud.client.send(new DescribeStateMachineCommand({ stateMachineArn }))).toMatchObject({
      stateMachineArn,
      name: 'orders',
      status: 'ACTIVE',
      type: 'STANDARD',
      definition,
      roleArn: ROLE,
      creationDate,
      loggingConfiguration: { level: 'OFF' },
      tracingConfiguration: { enabled: false },
    });
  });

  it('may be repeated, but not with another definition', async () => {
    const first = await create();
    expect(await create()).toMatchObject({ stateMachineArn: first.stateMachineArn, creationDate: first.creationDate });
    await expect(create({ definition: JSON.stringify(answer('other')) })).rejects.toMatchObject({
      name: 'StateMachineAlreadyExists',
    });
  });

  it.each([
    ['an express machine', { type: 'EXPRESS' }, 'StateMachineTypeNotSupported', 'EXPRESS'],
    ['a name with a space', { name: 'a b' }, 'InvalidName', 'a b'],
    ['a long name', { name: 'x'.repeat(81) }, 'InvalidName', 'x'],
    ['a role that is none', { roleArn: 'me' }, 'InvalidArn', 'me'],
    ['logging', { loggingConfiguration: { level: 'ALL' } }, 'UnsupportedOperationException', 'logging level ALL'],
    ['tracing', { tracingConfiguration: { enabled: true } }, 'UnsupportedOperationException', 'tracing'],
    ['publishing', { publish: true }, 'UnsupportedOperationException', 'publish'],
    ['a version description', { versionDescription: 'v' }, 'UnsupportedOperationException', 'versionDescription'],
  ])('rejects %s', async (_what, fields, name, text) => {
    await expect(create(fields)).rejects.toMatchObject({ name, message: expect.stringContaining(text) });
    expect((await cloud.client.send(new ListStateMachinesCommand({}))).stateMachines).toEqual([]);
  });
});

describe('UpdateStateMachine', () => {
  it('changes what new executions run; a running one keeps the definition it started with', async () => {
    const { stateMachineArn } = await create();
    const old = await cloud.execute(stateMachineArn!);
    const { revisionId } = await cloud.client.send(
      new UpdateStateMachineCommand({ stateMachineArn, definition: JSON.stringify(answer('second')) }),
    );
    await cloud.restart();
    const young = await cloud.execute(stateMachineArn!);
    await clock.advance(60_000);

    expect((await cloud.ended(old)).result).toBe('first');
    expect((await cloud.ended(young)).result).toBe('second');
    const described = await cloud.client.send(new DescribeStateMachineForExecutionCommand({ executionArn: old }));
    expect(described).toMatchObject({ definition, name: 'orders' });
    expect(described.revisionId).not.toBe(revisionId);
  });

  it('needs something to change and a machine to change', async () => {
    const { stateMachineArn } = await create();
    await expect(cloud.client.send(new UpdateStateMachineCommand({ stateMachineArn }))).rejects.toMatchObject({
      name: 'MissingRequiredParameter',
    });
    await expect(
      cloud.client.send(new UpdateStateMachineCommand({ stateMachineArn: `${stateMachineArn}x`, roleArn: ROLE })),
    ).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' });
  });
});

describe('DeleteStateMachine', () => {
  it('lets open executions finish, rejects new ones, and then removes machine and executions', async () => {
    const { stateMachineArn } = await create();
    const execution = await cloud.execute(stateMachineArn!);
    await cloud.client.send(new DeleteStateMachineCommand({ stateMachineArn }));

    expect(await cloud.client.send(new DescribeStateMachineCommand({ stateMachineArn }))).toMatchObject({
      status: 'DELETING',
    });
    await expect(cloud.client.send(new StartExecutionCommand({ stateMachineArn }))).rejects.toMatchObject({
      name: 'StateMachineDeleting',
    });
    await expect(create()).rejects.toMatchObject({ name: 'StateMachineDeleting' });

    await clock.advance(60_000);
    await cloud.when(
      () => cloud.client.send(new ListStateMachinesCommand({})),
      ({ stateMachines }) => stateMachines!.length === 0,
    );
    expect(cloud.events.details().at(-1)).toMatchObject({ executionArn: execution, status: 'SUCCEEDED' });
    await expect(cloud.client.send(new DescribeExecutionCommand({ executionArn: execution }))).rejects.toMatchObject({
      name: 'ExecutionDoesNotExist',
    });
    expect(await create()).toMatchObject({ stateMachineArn });
  });

  it('of an unknown machine succeeds', async () => {
    const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:none';
    await expect(cloud.client.send(new DeleteStateMachineCommand({ stateMachineArn }))).resolves.toBeDefined();
  });
});

it('ListStateMachines pages through all machines', async () => {
  for (const name of ['a', 'b', 'c']) await create({ name });
  const names: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await cloud.client.send(new ListStateMachinesCommand({ maxResults: 2, nextToken }));
    names.push(...page.stateMachines!.map(({ name }) => name!));
    nextToken = page.nextToken;
  } while (nextToken);
  expect(names).toEqual(['a', 'b', 'c']);
});

it('tags can be set at creation, changed, removed and listed', async () => {
  const { stateMachineArn: resourceArn } = await create({ tags: [{ key: 'team', value: 'data' }] });
  await cloud.client.send(
    new TagResourceCommand({
      resourceArn,
      tags: [
        { key: 'team', value: 'bi' },
        { key: 'x', value: '1' },
      ],
    }),
  );
  await cloud.client.send(new UntagResourceCommand({ resourceArn, tagKeys: ['x'] }));
  expect((await cloud.client.send(new ListTagsForResourceCommand({ resourceArn }))).tags).toEqual([
    { key: 'team', value: 'bi' },
  ]);
});
