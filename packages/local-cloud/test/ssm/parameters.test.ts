import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  AddTagsToResourceCommand,
  DeleteParameterCommand,
  DeleteParametersCommand,
  DescribeParametersCommand,
  GetParameterCommand,
  GetParameterHistoryCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  ListTagsForResourceCommand,
  PutParameterCommand,
  type PutParameterCommandInput,
  RemoveTagsFromResourceCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { createSsm } from '../../services/ssm/ssm.ts';
import { TestFront } from '../sqs/support/test-front.ts';

let front: TestFront;
let client: SSMClient;
const open = async () => {
  await front.listen();
  front.add(createSsm(front.context('ssm')));
  client = new SSMClient(front.clientConfig);
};
beforeEach(async () => {
  front = new TestFront(new ManualClock());
  await open();
});
afterEach(async () => {
  client.destroy();
  await front.close();
});

const put = (Name: string, Value: string, more: Partial<PutParameterCommandInput> = {}) =>
  client.send(new PutParameterCommand({ Name, Value, Type: 'String', ...more }));
const get = async (Name: string, WithDecryption = false) =>
  (await client.send(new GetParameterCommand({ Name, WithDecryption }))).Parameter;

describe('a parameter', () => {
  it('is read with its version, ARN and time', async () => {
    expect(await put('/app/name', 'orders')).toMatchObject({ Version: 1, Tier: 'Standard' });
    expect(await get('/app/name')).toEqual({
      Name: '/app/name',
      Type: 'String',
      Value: 'orders',
      Version: 1,
      ARN: 'arn:aws:ssm:us-east-1:000000000000:parameter/app/name',
      DataType: 'text',
      LastModifiedDate: new Date('2026-01-01T00:00:00Z'),
    });
  });

  it('is only replaced on request, and keeps its earlier versions', async () => {
    await put('/app/list', 'a,b', { Type: 'StringList' });
    await expect(put('/app/list', 'c')).rejects.toMatchObject({ name: 'ParameterAlreadyExists' });
    const replaced = await client.send(new PutParameterCommand({ Name: '/app/list', Value: 'c,d', Overwrite: true }));
    expect(replaced.Version).toBe(2);
    expect(await get('/app/list')).toMatchObject({ Value: 'c,d', Type: 'StringList', Version: 2 });
    expect(await get('/app/list:1')).toMatchObject({ Value: 'a,b', Version: 1, Selector: ':1' });
    await expect(get('/app/list:7')).rejects.toMatchObject({ name: 'ParameterVersionNotFound' });
  });

  it('survives a restart', async () => {
    await put('/app/secret', 'hush', { Type: 'SecureString' });
    client.destroy();
    await front.stop();
    await open();
    expect(await get('/app/secret', true)).toMatchObject({ Value: 'hush' });
  });

  it('is found by its ARN', async () => {
    await put('/app/name', 'path');
    await put('plain', 'no path');
    expect(await get('arn:aws:ssm:us-east-1:000000000000:parameter/app/name')).toMatchObject({ Value: 'path' });
    expect(await get('arn:aws:ssm:us-east-1:000000000000:parameter/plain')).toMatchObject({ Value: 'no path' });
  });

  it.each([
    ['/aws/name', {}, 'ValidationException'],
    ['/a b', {}, 'ValidationException'],
    ['no/slash', {}, 'ValidationException'],
    [`/${'l/'.repeat(15)}x`, {}, 'HierarchyLevelLimitExceededException'],
    ['/long', { Value: 'x'.repeat(4097) }, 'ValidationException'],
    ['/typeless', { Type: undefined }, 'ValidationException'],
    ['/pattern', { AllowedPattern: '^\\d+$' }, 'ParameterPatternMismatchException'],
    ['/key', { KeyId: 'alias/mine' }, 'UnsupportedOperationException'],
    ['/image', { DataType: 'aws:ec2:image' }, 'UnsupportedOperationException'],
  ])('%s with %j is rejected', async (name, more, error) => {
    await expect(put(name, 'value', more)).rejects.toMatchObject({ name: error });
    expect((await client.send(new DescribeParametersCommand({}))).Parameters).toEqual([]);
  });

  it('that does not exist answers ParameterNotFound', async () => {
    await expect(get('/nowhere')).rejects.toMatchObject({ name: 'ParameterNotFound' });
    const remove = client.send(new DeleteParameterCommand({ Name: '/nowhere' }));
    await expect(remove).rejects.toMatchObject({ name: 'ParameterNotFound' });
  });

  it('carries tags', async () => {
    await put('/app/name', 'x', { Tags: [{ Key: 'team', Value: 'data' }] });
    const resource = { ResourceType: 'Parameter', ResourceId: '/app/name' } as const;
    await client.send(new AddTagsToResourceCommand({ ...resource, Tags: [{ Key: 'stage', Value: 'test' }] }));
    await client.send(new RemoveTagsFromResourceCommand({ ...resource, TagKeys: ['team'] }));
    const { TagList } = await client.send(new ListTagsForResourceCommand(resource));
    expect(TagList).toEqual([{ Key: 'stage', Value: 'test' }]);
    const unknown = { ...resource, ResourceId: '/nowhere', Tags: [{ Key: 'a', Value: 'b' }] };
    await expect(client.send(new AddTagsToResourceCommand(unknown))).rejects.toMatchObject({
      name: 'InvalidResourceId',
    });
  });
});

describe('a SecureString', () => {
  it('is only readable with decryption and never in clear text on disk', async () => {
    await put('/app/secret', 'correct horse battery', { Type: 'SecureString' });
    const sealed = await get('/app/secret');
    expect(sealed).toMatchObject({ Type: 'SecureString' });
    expect(sealed?.Value).not.toContain('correct horse');
    expect(await get('/app/secret', true)).toMatchObject({ Value: 'correct horse battery' });

    const directory = join(front.dataDir, 'ssm');
    for (const file of readdirSync(directory)) {
      expect(readFileSync(join(directory, file)).includes('correct horse')).toBe(false);
    }
    expect(statSync(join(directory, 'secure-string.key')).mode & 0o777).toBe(0o600);
  });
});

describe('several parameters', () => {
  beforeEach(async () => {
    for (const name of ['/app/a', '/app/b', '/app/deep/c', '/application/d']) await put(name, name);
  });

  it('are read by name, with unknown ones listed separately', async () => {
    const reply = await client.send(new GetParametersCommand({ Names: ['/app/b', '/nowhere', '/app/a'] }));
    expect(reply.Parameters?.map(({ Value }) => Value)).toEqual(['/app/b', '/app/a']);
    expect(reply.InvalidParameters).toEqual(['/nowhere']);
  });

  it('are read by path, directly below or all the way down, in pages', async () => {
    const names = async (Recursive: boolean, MaxResults?: number, NextToken?: string) => {
      const reply = await client.send(
        new GetParametersByPathCommand({ Path: '/app', Recursive, MaxResults, NextToken }),
      );
      return { names: reply.Parameters?.map(({ Name }) => Name), next: reply.NextToken };
    };
    expect(await names(false)).toEqual({ names: ['/app/a', '/app/b'], next: undefined });
    const first = await names(true, 2);
    expect(first.names).toEqual(['/app/a', '/app/b']);
    expect(await names(true, 2, first.next)).toEqual({ names: ['/app/deep/c'], next: undefined });
  });

  it('are deleted by name', async () => {
    const reply = await client.send(new DeleteParametersCommand({ Names: ['/app/a', '/nowhere'] }));
    expect(reply).toMatchObject({ DeletedParameters: ['/app/a'], InvalidParameters: ['/nowhere'] });
    await expect(get('/app/a')).rejects.toMatchObject({ name: 'ParameterNotFound' });
  });

  it('are described without their values', async () => {
    const { Parameters } = await client.send(new DescribeParametersCommand({ MaxResults: 1 }));
    expect(Parameters).toEqual([expect.objectContaining({ Name: '/app/a', Version: 1, Tier: 'Standard' })]);
    expect(Parameters?.[0]).not.toHaveProperty('Value');
  });
});

describe('the service', () => {
  it('rejects unsupported members by name', async () => {
    const history = client.send(new GetParameterHistoryCommand({ Name: '/app/a' }));
    await expect(history).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
      message: expect.stringContaining('GetParameterHistory'),
    });
  });

  it('throttles, fails and loses answers on demand', async () => {
    front.faults.replace([{ service: 'ssm', operation: 'PutParameter', effect: 'throttle', times: 1 }]);
    await expect(put('/a', '1')).rejects.toMatchObject({ name: 'ThrottlingException' });
    front.faults.replace([{ service: 'ssm', operation: 'PutParameter', effect: 'lostAnswer', times: 1 }]);
    await expect(put('/a', '1')).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(await get('/a')).toMatchObject({ Value: '1' });
  });
});
