import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AddPermissionCommand,
  CreateAliasCommand,
  CreateFunctionCommand,
  DeleteAliasCommand,
  DeleteFunctionCommand,
  DeleteFunctionConcurrencyCommand,
  DeleteFunctionEventInvokeConfigCommand,
  GetAccountSettingsCommand,
  GetFunctionCommand,
  GetFunctionConcurrencyCommand,
  GetFunctionConfigurationCommand,
  GetFunctionEventInvokeConfigCommand,
  GetPolicyCommand,
  ListAliasesCommand,
  ListFunctionsCommand,
  ListTagsCommand,
  ListVersionsByFunctionCommand,
  PublishVersionCommand,
  PutFunctionConcurrencyCommand,
  PutFunctionEventInvokeConfigCommand,
  RemovePermissionCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateAliasCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
  UpdateFunctionEventInvokeConfigCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zip } from '../../testing/zip.ts';
import { ROLE, startCloud, type TestCloud } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.close());

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
const answering = (text: string) => `export const handler = async () => ${JSON.stringify(text)};`;
const get = (FunctionName: string, Qualifier?: string) =>
  cloud.client.send(new GetFunctionConfigurationCommand({ FunctionName, ...(Qualifier && { Qualifier }) }));

describe('the account', () => {
  it('reports its limits, and what functions have reserved of them', async () => {
    const settings = () => cloud.client.send(new GetAccountSettingsCommand({}));
    const before = await settings();
    expect(before.AccountLimit).toMatchObject({ ConcurrentExecutions: 1000, CodeSizeUnzipped: 262_144_000 });
    await cloud.create('counted', answering('x'));
    await cloud.client.send(
      new PutFunctionConcurrencyCommand({ FunctionName: 'counted', ReservedConcurrentExecutions: 7 }),
    );
    const after = await settings();
    const free = (each: typeof before) => each.AccountLimit!.UnreservedConcurrentExecutions!;
    expect(free(before) - free(after)).toBe(7);
    expect(after.AccountUsage!.FunctionCount! - before.AccountUsage!.FunctionCount!).toBe(1);
    expect(after.AccountUsage!.TotalCodeSize!).toBeGreaterThan(before.AccountUsage!.TotalCodeSize!);
    await cloud.client.send(new DeleteFunctionCommand({ FunctionName: 'counted' }));
  });
});

describe('functions', () => {
  it("are described as created, with Lambda's defaults", async () => {
    await cloud.create('described', answering('x'), {
      Tags: { team: 'a' },
      Architectures: ['arm64'],
      Environment: { Variables: { AA: 'b' } },
    });
    const { Configuration, Tags } = await cloud.client.send(new GetFunctionCommand({ FunctionName: 'described' }));
    expect(Tags).toEqual({ team: 'a' });
    expect(Configuration).toMatchObject({
      FunctionName: 'described',
      FunctionArn: arn('described'),
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: ROLE,
      Timeout: 3,
      MemorySize: 128,
      Version: '$LATEST',
      State: 'Active',
      LastUpdateStatus: 'Successful',
      PackageType: 'Zip',
      Architectures: ['arm64'],
      Environment: { Variables: { AA: 'b' } },
      EphemeralStorage: { Size: 512 },
      TracingConfig: { Mode: 'PassThrough' },
      LoggingConfig: { LogFormat: 'Text', LogGroup: '/aws/lambda/described' },
      CodeSha256: expect.stringMatching(/^[\w+/]{43}=$/),
    });
  });

  it('run changed code and configuration from the next call', async () => {
    await cloud.create('changing', 'export const handler = async () => [1, process.env.WORD];');
    expect((await cloud.call('changing')).answer).toEqual([1, null]);
    await cloud.client.send(
      new UpdateFunctionConfigurationCommand({ FunctionName: 'changing', Environment: { Variables: { WORD: 'new' } } }),
    );
    expect((await cloud.call('changing')).answer).toEqual([1, 'new']);
    await cloud.client.send(
      new UpdateFunctionCodeCommand({
        FunctionName: 'changing',
        ZipFile: zip({ 'index.mjs': 'export const handler = async () => [2, process.env.WORD];' }),
      }),
    );
    expect((await cloud.call('changing')).answer).toEqual([2, 'new']);
  });

  it("run from the code source's folder of an S3 object", async () => {
    mkdirSync(join(cloud.dataDir, 'asset'));
    writeFileSync(join(cloud.dataDir, 'asset', 'index.mjs'), answering('from S3'));
    await cloud.create('from-s3', '', { Code: { S3Bucket: 'assets', S3Key: 'asset' } });
    expect((await cloud.call('from-s3')).answer).toBe('from S3');
  });

  it('are deleted with their uploaded bundle', async () => {
    await cloud.create('doomed', answering('only in this bundle'));
    const folder =
      (await cloud.client.send(new GetFunctionCommand({ FunctionName: 'doomed' }))).Code?.Location?.slice(
        'file://'.length,
      ) ?? '';
    expect(existsSync(folder)).toBe(true);
    await cloud.client.send(new DeleteFunctionCommand({ FunctionName: 'doomed' }));
    expect(existsSync(folder)).toBe(false);
    await expect(get('doomed')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('are listed page by page', async () => {
    const names: (string | undefined)[] = [];
    let Marker: string | undefined;
    do {
      const page = await cloud.client.send(new ListFunctionsCommand({ MaxItems: 2, ...(Marker && { Marker }) }));
      names.push(...(page.Functions ?? []).map((each) => each.FunctionName));
      Marker = page.NextMarker;
    } while (Marker);
    expect(names).toEqual(['changing', 'described', 'from-s3']);
  });

  it.each([
    ['another runtime', { Runtime: 'python3.13' as const }, /the runtime python3.13/],
    [
      'a reserved variable',
      { Environment: { Variables: { AWS_REGION: 'x' } } },
      /Reserved keys used in this request: AWS_REGION/,
    ],
    ['variables above 4 KB', { Environment: { Variables: { BIG: 'x'.repeat(4096) } } }, /exceeded the 4KB limit/],
    [
      'too much memory',
      { MemorySize: 10_241 },
      /'memorySize' failed to satisfy constraint: Member must have value less than or equal to 10240/,
    ],
    ['too long a timeout', { Timeout: 901 }, /'timeout' failed to satisfy constraint/],
    ['layers', { Layers: ['arn:aws:lambda:us-east-1:000000000000:layer:x:1'] }, /layers/],
    [
      'an unknown member',
      { DeadLetterConfig: { TargetArn: 'arn:aws:sqs:us-east-1:0:x' } },
      /DeadLetterConfig of CreateFunction/,
    ],
    ['a broken archive', { Code: { ZipFile: Buffer.from('no zip') } }, /Could not unzip uploaded file/],
    [
      'an archive that leaves its folder',
      { Code: { ZipFile: zip({ '../evil.mjs': '' }) } },
      /Could not unzip uploaded file/,
    ],
    [
      'a name that exists',
      { FunctionName: 'described' },
      /Function already exist: arn:aws:lambda:us-east-1:000000000000:function:described/,
    ],
  ])('are rejected with %s', async (_title, more, message) => {
    const input = {
      FunctionName: 'rejected',
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Role: ROLE,
      Code: { ZipFile: zip({ 'index.mjs': '' }) },
    } as const;
    await expect(cloud.client.send(new CreateFunctionCommand({ ...input, ...more }))).rejects.toThrow(message);
    await expect(get('rejected')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('survive the end of the service with all their settings', async () => {
    await cloud.create('settled', answering('still here'));
    await cloud.client.send(
      new PutFunctionConcurrencyCommand({ FunctionName: 'settled', ReservedConcurrentExecutions: 3 }),
    );
    const before = await get('settled');
    await cloud.restart();
    expect({ ...(await get('settled')), $metadata: null }).toEqual({ ...before, $metadata: null });
    expect(
      (await cloud.client.send(new GetFunctionConcurrencyCommand({ FunctionName: 'settled' })))
        .ReservedConcurrentExecutions,
    ).toBe(3);
    expect((await cloud.call('settled')).answer).toBe('still here');
    expect(readdirSync(join(cloud.dataDir, 'tmp'))).toHaveLength(1);
  });
});

describe('versions and aliases', () => {
  it('keep published code while $LATEST changes', async () => {
    await cloud.create(
      'versioned',
      'export const handler = async (_event, context) => [1, context.functionVersion, context.invokedFunctionArn];',
    );
    const publish = async () =>
      (await cloud.client.send(new PublishVersionCommand({ FunctionName: 'versioned' }))).Version;
    expect([await publish(), await publish()]).toEqual(['1', '1']);
    await cloud.client.send(
      new UpdateFunctionCodeCommand({
        FunctionName: 'versioned',
        ZipFile: zip({ 'index.mjs': answering('two') }),
        Publish: true,
      }),
    );

    await cloud.client.send(new CreateAliasCommand({ FunctionName: 'versioned', Name: 'live', FunctionVersion: '1' }));
    expect((await cloud.call('versioned:live')).answer).toEqual([1, '1', arn('versioned:live')]);
    expect((await cloud.call(arn('versioned:1'))).answer).toEqual([1, '1', arn('versioned:1')]);
    expect((await cloud.call('versioned')).answer).toBe('two');

    await cloud.client.send(new UpdateAliasCommand({ FunctionName: 'versioned', Name: 'live', FunctionVersion: '2' }));
    expect((await cloud.call('versioned:live')).answer).toBe('two');
    expect((await get('versioned', 'live')).Version).toBe('2');

    const { Versions } = await cloud.client.send(new ListVersionsByFunctionCommand({ FunctionName: 'versioned' }));
    expect(Versions?.map((each) => each.Version)).toEqual(['$LATEST', '1', '2']);
    const { Aliases } = await cloud.client.send(new ListAliasesCommand({ FunctionName: 'versioned' }));
    expect(Aliases).toEqual([
      expect.objectContaining({ Name: 'live', FunctionVersion: '2', AliasArn: arn('versioned:live') }),
    ]);

    await expect(
      cloud.client.send(new DeleteFunctionCommand({ FunctionName: 'versioned', Qualifier: '2' })),
    ).rejects.toMatchObject({ name: 'ResourceConflictException' });
    await cloud.client.send(new DeleteAliasCommand({ FunctionName: 'versioned', Name: 'live' }));
    await expect(cloud.call('versioned:live')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('settings of a function', () => {
  it('limit its reserved concurrency', async () => {
    await cloud.create(
      'one-at-a-time',
      'export const handler = async ({ ms }) => new Promise((done) => setTimeout(done, ms));',
    );
    const put = (ReservedConcurrentExecutions: number) =>
      cloud.client.send(
        new PutFunctionConcurrencyCommand({ FunctionName: 'one-at-a-time', ReservedConcurrentExecutions }),
      );
    await put(1);
    const running = cloud.call('one-at-a-time', { ms: 300 });
    await eventually(() =>
      cloud.logged.get('/aws/lambda/one-at-a-time')?.some((line) => line.startsWith('START')),
    ).toBe(true);
    await expect(cloud.call('one-at-a-time', { ms: 0 })).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      $metadata: { httpStatusCode: 429 },
    });
    await running;
    await put(0);
    await expect(cloud.call('one-at-a-time', { ms: 0 })).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    await cloud.client.send(new DeleteFunctionConcurrencyCommand({ FunctionName: 'one-at-a-time' }));
    expect((await cloud.call('one-at-a-time', { ms: 0 })).functionError).toBeUndefined();
    await expect(put(990)).rejects.toThrow(/below its minimum value of \[100\]/);
  });

  it('record permissions as a policy', async () => {
    await cloud.create('permitted', answering('x'));
    const add = new AddPermissionCommand({
      FunctionName: 'permitted',
      StatementId: 'api',
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
      SourceArn: 'arn:aws:execute-api:us-east-1:000000000000:x/*',
    });
    await cloud.client.send(add);
    await expect(cloud.client.send(add)).rejects.toMatchObject({ name: 'ResourceConflictException' });
    const { Policy } = await cloud.client.send(new GetPolicyCommand({ FunctionName: 'permitted' }));
    expect(JSON.parse(Policy ?? '').Statement).toEqual([
      {
        Sid: 'api',
        Effect: 'Allow',
        Principal: { Service: 'apigateway.amazonaws.com' },
        Action: 'lambda:InvokeFunction',
        Resource: arn('permitted'),
        Condition: { ArnLike: { 'AWS:SourceArn': 'arn:aws:execute-api:us-east-1:000000000000:x/*' } },
      },
    ]);
    await cloud.client.send(new RemovePermissionCommand({ FunctionName: 'permitted', StatementId: 'api' }));
    await expect(cloud.client.send(new GetPolicyCommand({ FunctionName: 'permitted' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  it('carry tags', async () => {
    await cloud.create('tagged', answering('x'), { Tags: { a: '1' } });
    const Resource = arn('tagged');
    await cloud.client.send(new TagResourceCommand({ Resource, Tags: { b: '2' } }));
    await cloud.client.send(new UntagResourceCommand({ Resource, TagKeys: ['a'] }));
    expect((await cloud.client.send(new ListTagsCommand({ Resource }))).Tags).toEqual({ b: '2' });
  });

  it('configure the handling of asynchronous events', async () => {
    await cloud.create('handled', answering('x'));
    const FunctionName = 'handled';
    const Destination = 'arn:aws:sqs:us-east-1:000000000000:dead';
    await cloud.client.send(
      new PutFunctionEventInvokeConfigCommand({
        FunctionName,
        MaximumRetryAttempts: 1,
        DestinationConfig: { OnFailure: { Destination } },
      }),
    );
    await cloud.client.send(new UpdateFunctionEventInvokeConfigCommand({ FunctionName, MaximumEventAgeInSeconds: 60 }));
    expect(await cloud.client.send(new GetFunctionEventInvokeConfigCommand({ FunctionName }))).toMatchObject({
      FunctionArn: arn('handled:$LATEST'),
      MaximumRetryAttempts: 1,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig: { OnSuccess: {}, OnFailure: { Destination } },
      LastModified: expect.any(Date),
    });
    const topic = { OnFailure: { Destination: 'arn:aws:sns:us-east-1:000000000000:topic' } };
    await expect(
      cloud.client.send(new PutFunctionEventInvokeConfigCommand({ FunctionName, DestinationConfig: topic })),
    ).rejects.toThrow(/the destination arn:aws:sns/);
    await cloud.client.send(new DeleteFunctionEventInvokeConfigCommand({ FunctionName }));
    await expect(cloud.client.send(new GetFunctionEventInvokeConfigCommand({ FunctionName }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
