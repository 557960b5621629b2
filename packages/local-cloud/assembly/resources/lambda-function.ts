import {
  CreateFunctionCommand,
  DeleteFunctionCommand,
  DeleteFunctionConcurrencyCommand,
  DeleteFunctionEventInvokeConfigCommand,
  GetFunctionConfigurationCommand,
  PutFunctionConcurrencyCommand,
  PutFunctionEventInvokeConfigCommand,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { recorded, resourceType, unless } from '../resource-type.ts';
import { choice, list, map, number, object, required, tags, text } from '../shapes.ts';

const GONE = ['ResourceNotFoundException'];

export const lambdaFunction = resourceType('AWS::Lambda::Function', {
  properties: {
    Architectures: list(choice('arm64', 'x86_64')),
    Code: required(object({ S3Bucket: required(text), S3Key: required(text) })),
    Description: text,
    Environment: object({ Variables: map(text) }),
    EphemeralStorage: object({ Size: required(number) }),
    FunctionName: text,
    Handler: required(text),
    LoggingConfig: object({
      ApplicationLogLevel: choice('TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'),
      LogFormat: choice('JSON', 'Text'),
      LogGroup: text,
      SystemLogLevel: choice('DEBUG', 'INFO', 'WARN'),
    }),
    MemorySize: number,
    PackageType: choice('Zip'),
    // Loops are only detected on AWS.
    RecursiveLoop: choice('Allow', 'Terminate'),
    ReservedConcurrentExecutions: number,
    Role: required(text),
    Runtime: required(choice('nodejs24.x', 'nodejs22.x')),
    Tags: tags,
    Timeout: number,
    TracingConfig: object({ Mode: choice('Active', 'PassThrough') }),
  },
  attributes: ['Arn'],
  naming: { property: 'FunctionName', maxLength: 64 },
  fixed: ['PackageType'],
  async provision({ name: FunctionName, properties, context }) {
    const { lambda } = context.clients;
    const {
      Architectures,
      Code,
      ReservedConcurrentExecutions,
      PackageType,
      RecursiveLoop: _loop,
      Tags: _tags,
      ...given
    } = properties;
    // All settings are sent, so that a property removed from the template returns to its default.
    const configuration = {
      ...given,
      FunctionName,
      Description: given.Description ?? '',
      Environment: { Variables: given.Environment?.Variables ?? {} },
      EphemeralStorage: given.EphemeralStorage ?? { Size: 512 },
      LoggingConfig: given.LoggingConfig ?? {},
      MemorySize: given.MemorySize ?? 128,
      Timeout: given.Timeout ?? 3,
      TracingConfig: given.TracingConfig ?? { Mode: 'PassThrough' as const },
    };
    const existing = await unless(GONE, lambda.send(new GetFunctionConfigurationCommand({ FunctionName })));
    if (existing) {
      await lambda.send(new UpdateFunctionConfigurationCommand(configuration));
      await lambda.send(new UpdateFunctionCodeCommand({ FunctionName, ...Code, Architectures }));
    } else {
      await lambda.send(new CreateFunctionCommand({ ...configuration, Code, Architectures, PackageType }));
    }
    if (ReservedConcurrentExecutions !== undefined) {
      await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
    } else if (existing) {
      await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    }
    const Arn = `arn:aws:lambda:${context.region}:${context.accountId}:function:${FunctionName}`;
    return { ref: FunctionName, attributes: { Arn } };
  },
  async remove({ name, context }) {
    await unless(GONE, context.clients.lambda.send(new DeleteFunctionCommand({ FunctionName: name })));
  },
});

/** Permissions to call a function are read from the deployed resources (`iam/`). */
export const permission = recorded('AWS::Lambda::Permission', {
  properties: {
    Action: required(text),
    FunctionName: required(text),
    Principal: required(text),
    SourceAccount: text,
    SourceArn: text,
  },
});

const destination = object({ Destination: required(text) });

export const eventInvokeConfig = resourceType('AWS::Lambda::EventInvokeConfig', {
  properties: {
    DestinationConfig: object({ OnFailure: destination, OnSuccess: destination }),
    FunctionName: required(text),
    MaximumEventAgeInSeconds: number,
    MaximumRetryAttempts: number,
    Qualifier: required(choice('$LATEST')),
  },
  fixed: ['FunctionName', 'Qualifier'],
  async provision({ name, properties, context }) {
    await context.clients.lambda.send(new PutFunctionEventInvokeConfigCommand(properties));
    return { ref: name };
  },
  async remove({ properties: { FunctionName, Qualifier }, context }) {
    await unless(
      GONE,
      context.clients.lambda.send(new DeleteFunctionEventInvokeConfigCommand({ FunctionName, Qualifier })),
    );
  },
});
