import validate from 'asl-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { GROUPS } from '../../functions/api.ts';
import { runMachineDefinition } from '../../functions/workers/pipelines/run-lifecycle/run-machine.ts';
import { stepMachineDefinition } from '../../functions/workers/pipelines/run-step/step-machine.ts';
import { GatewayMatcher } from '../support/gateway-matcher.ts';
import { SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';
import { deployedStacks, ofType, type Resource, references, type Stacks, statements } from '../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

/** A deployment with every option. */
let full: Promise<Stacks> | undefined;
const fullStacks = () => {
  full ??= deployedStacks('every');
  return full;
};

describe('the API', () => {
  it('sends every declared route to the function of its group', () => {
    const gateway = new GatewayMatcher(stacks.runtime);
    const functions = new Map(
      ofType(stacks.runtime, 'AWS::Lambda::Function').map(([id, { Properties }]) => [Properties.FunctionName, id]),
    );
    for (const group of GROUPS) {
      for (const route of group.routes) {
        const path = route.path.slice('/api'.length).replaceAll(/\{\w+\}/g, 'some-value');
        const target = gateway.match(route.method, path);
        expect(references(JSON.parse(target ?? 'null')), `${route.method} ${route.path}`).toContain(
          functions.get(`AnalyticsRuntime-${group.name}`),
        );
      }
    }
  });

  it('has at most one variable child per resource', () => {
    expect(new GatewayMatcher(stacks.runtime).crowded).toEqual([]);
  });

  it('lets pages of other origins ask whether they may follow a run', () => {
    const gateway = new GatewayMatcher(stacks.runtime);
    const target = gateway.match('OPTIONS', '/pipelines/runs/some-run/events');
    expect(JSON.parse(target ?? 'null')).not.toBeNull();
  });

  it('is busy, and not broken, while no function can be called', () => {
    const answers = ofType(stacks.runtime, 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => Properties);
    const statusOf = (type: string) => answers.find(({ ResponseType }) => ResponseType === type)?.StatusCode;
    expect(statusOf('API_CONFIGURATION_ERROR')).toBe('503');
    expect(statusOf('INTEGRATION_FAILURE')).toBe('503');
    expect(statusOf('THROTTLED')).toBe('429');
    expect(statusOf('DEFAULT_5XX')).toBe('500');
  });

  it('pays neither for metrics of methods nor for the default rate of traces', () => {
    const [[, stage] = []] = ofType(stacks.runtime, 'AWS::ApiGateway::Stage');
    expect(stage!.Properties.TracingEnabled).toBe(true);
    for (const setting of stage!.Properties.MethodSettings) expect(setting).toMatchObject({ MetricsEnabled: false });
    const rules = ofType(stacks.runtime, 'AWS::XRay::SamplingRule').map(
      ([, { Properties }]) => Properties.SamplingRule,
    );
    expect(rules).toMatchObject([{ FixedRate: 0.05, ReservoirSize: 0, ServiceName: 'AnalyticsRuntime-api/*' }]);
  });

  it('streams the events of a run and the cards of a dashboard, and buffers everything else', () => {
    const streaming = ofType(stacks.runtime, 'AWS::ApiGateway::Method').filter(
      ([, { Properties }]) => Properties.Integration.ResponseTransferMode === 'STREAM',
    );
    expect(streaming.map(([, { Properties }]) => Properties.HttpMethod).sort()).toEqual(['GET', 'POST']);
    for (const [, { Properties }] of streaming)
      expect(Properties).toMatchObject({ Integration: { TimeoutInMillis: 900_000 } });
  });
});

describe('uploads', () => {
  it('are sent to the work queue; other objects are not', () => {
    const rules = ofType(stacks.runtime, 'AWS::Events::Rule');
    expect(rules).toHaveLength(1);
    const { EventPattern, Targets } = rules[0]![1].Properties;
    expect(EventPattern).toMatchObject({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [expect.anything()] }, object: { key: [{ wildcard: 'W/*/uploads/*' }] } },
    });
    expect(Targets).toMatchObject([
      { SqsParameters: { MessageGroupId: 'uploads' }, DeadLetterConfig: { Arn: expect.anything() } },
    ]);
  });
});

describe('stateful resources', () => {
  it('include the table, retained, with point-in-time recovery and deletion protection', () => {
    const [[, table] = []] = ofType(stacks.data, 'AWS::DynamoDB::GlobalTable');
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(table!.Properties.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  it('include the bucket, retained, versioned and closed to the public', () => {
    const [[, bucket] = []] = ofType(stacks.data, 'AWS::S3::Bucket');
    expect(bucket).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      },
    });
  });

  it('keep nothing of expired answers and step outputs for longer than a day', () => {
    const [[, bucket] = []] = ofType(stacks.data, 'AWS::S3::Bucket');
    const rules = bucket!.Properties.LifecycleConfiguration.Rules as Record<string, unknown>[];
    for (const Prefix of ['results/', 'staging/']) {
      const rule = rules.find((each) => each.Prefix === Prefix);
      expect(rule, Prefix).toMatchObject({ NoncurrentVersionExpiration: { NoncurrentDays: 1 } });
    }
    const whole = rules.filter((each) => each.Prefix === undefined);
    expect(whole).toContainEqual(expect.objectContaining({ ExpiredObjectDeleteMarker: true }));
    // S3 rejects a rule with both.
    for (const rule of rules)
      expect(Object.keys(rule)).not.toEqual(expect.arrayContaining(['ExpirationInDays', 'ExpiredObjectDeleteMarker']));
  });

  it('are absent from the stacks that are replaced freely', () => {
    const stateful = /^AWS::(DynamoDB|S3|RDS|EFS)/;
    for (const resources of [stacks.runtime, stacks.observability]) {
      expect(Object.values(resources).filter(({ Type }) => stateful.test(Type))).toEqual([]);
    }
  });
});

describe('the container that streams changes', () => {
  it('is absent unless the operator enables it', () => {
    expect(stacks.capture).toEqual({});
  });

  it('runs once, accepts no connections, and has the variables that it declares', async () => {
    const { capture } = await fullStacks();
    const [[, service] = [], ...others] = ofType(capture, 'AWS::ECS::Service');
    expect(others).toEqual([]);
    expect(service!.Properties).toMatchObject({ DesiredCount: 1, LaunchType: 'FARGATE' });
    expect(ofType(capture, 'AWS::EC2::NatGateway')).toEqual([]);
    const groups = ofType(capture, 'AWS::EC2::SecurityGroup');
    expect(groups.flatMap(([, { Properties }]) => Properties.SecurityGroupIngress ?? [])).toEqual([]);
    const [[, task] = []] = ofType(capture, 'AWS::ECS::TaskDefinition');
    expect(task!.Properties.RuntimePlatform).toMatchObject({ CpuArchitecture: 'X86_64' });
    const names = task!.Properties.ContainerDefinitions[0].Environment.map(({ Name }: { Name: string }) => Name);
    expect(names.sort()).toEqual(['ALLOWED_PRIVATE_CIDRS', 'DATA_BUCKET', 'MASTER_SECRET_PARAMETER', 'TABLE_NAME']);
  });
});

describe('containers for steps', () => {
  it('are absent unless the operator enables them, and cost nothing while no step runs in one', async () => {
    const isContainer = ({ Type }: Resource) => /^AWS::(ECS|EC2)::/.test(Type);
    expect(Object.values(stacks.runtime).filter(isContainer)).toEqual([]);
    const { runtime } = await fullStacks();
    expect(ofType(runtime, 'AWS::ECS::TaskDefinition')).toHaveLength(1);
    for (const type of ['ECS::Service', 'EC2::NatGateway', 'EC2::EIP', 'EC2::VPCEndpoint', 'EC2::Instance']) {
      expect(ofType(runtime, `AWS::${type}`), type).toEqual([]);
    }
    for (const [id, { Properties }] of ofType(runtime, 'AWS::EC2::SecurityGroup')) {
      expect(Properties.SecurityGroupIngress, id).toBeUndefined();
    }
  });

  it('have a read-only root, scratch space, and the rights of the functions for steps', async () => {
    const { runtime } = await fullStacks();
    const [[taskId, task] = []] = ofType(runtime, 'AWS::ECS::TaskDefinition');
    const { ContainerDefinitions, EphemeralStorage, Cpu, Memory } = task!.Properties;
    expect({ EphemeralStorage, Cpu, Memory }).toEqual({
      EphemeralStorage: { SizeInGiB: 200 },
      Cpu: '4096',
      Memory: '30720',
    });
    expect(ContainerDefinitions).toMatchObject([
      {
        ReadonlyRootFilesystem: true,
        LinuxParameters: { InitProcessEnabled: true, Capabilities: { Drop: ['ALL'] } },
        MountPoints: [{ ContainerPath: '/tmp', ReadOnly: false }],
      },
    ]);
    const actionsOf = (role: string) =>
      statements(runtime)
        .filter(({ roles }) => roles.some((each) => each.includes(role)))
        .flatMap(({ actions }) => actions)
        .filter((action) => !/^(logs|xray):/.test(action))
        .sort();
    expect(taskId).toBeDefined();
    expect(actionsOf('StepContainersTaskTaskRole')).toEqual(actionsOf('PipelinePlaneRunStepRole'));
  });

  it('are started only by the step machine, with their own roles and in their own cluster', async () => {
    const { runtime } = await fullStacks();
    const passing = statements(runtime).filter(({ actions }) => actions.includes('iam:PassRole'));
    expect(passing).toHaveLength(1);
    expect(passing[0]!.roles.every((role) => role.includes('StepMachine'))).toBe(true);
    expect(passing[0]!.resource).toHaveLength(2);
    expect(JSON.stringify(passing[0]!.resource)).not.toContain('*');
  });
});

describe('queues', () => {
  it('each have a dead-letter queue that keeps messages for 14 days', () => {
    const queues = ofType(stacks.runtime, 'AWS::SQS::Queue');
    const withRedrive = queues.filter(([, { Properties }]) => Properties.RedrivePolicy);
    expect(withRedrive.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of queues) {
      if (Properties.RedrivePolicy) continue;
      expect(Properties.MessageRetentionPeriod, id).toBe(14 * 24 * 60 * 60);
    }
    for (const [, { Properties }] of withRedrive) {
      const [target] = references(Properties.RedrivePolicy);
      expect(stacks.runtime[target!]?.Properties.RedrivePolicy).toBeUndefined();
    }
  });

  it('hide a message for at least six timeouts of the consumer, or for one where a second consumer is harmless', () => {
    for (const [id, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::EventSourceMapping')) {
      const [queueId] = references(Properties.EventSourceArn);
      const queue = stacks.runtime[queueId ?? ''];
      if (queue?.Type !== 'AWS::SQS::Queue') continue;
      const [functionId] = references(Properties.FunctionName);
      const { Timeout } = stacks.runtime[functionId!]!.Properties;
      const timeouts = functionId!.startsWith('WebhookPlaneSender') ? 1 : 6;
      expect(queue.Properties.VisibilityTimeout, id).toBeGreaterThan(timeouts * Timeout - 1);
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });

  it('get the stream records that cannot be handled', () => {
    const [[, mapping] = []] = ofType(stacks.runtime, 'AWS::Lambda::EventSourceMapping').filter(
      ([, { Properties }]) => Properties.StartingPosition,
    );
    expect(mapping!.Properties).toMatchObject({
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      DestinationConfig: { OnFailure: {} },
    });
  });
});

describe('rights', () => {
  it('name every action', () => {
    for (const { id, actions } of statements(stacks.runtime)) {
      for (const action of actions) expect(action, id).not.toContain('*');
    }
  });

  it('name every resource, except where the service has none to name', () => {
    const open = statements(stacks.runtime).filter(({ resource }) => resource === '*');
    const actions = new Set(open.flatMap((statement) => statement.actions));
    expect([...actions].sort()).toEqual(
      expect.arrayContaining(['states:SendTaskSuccess', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments']),
    );
    for (const action of actions) expect(action).toMatch(/^(xray:|logs:|states:SendTaskSuccess)/);
  });

  it('let only erasing scan the table, and give no table at all to the engine and the AI function', () => {
    const scanning = statements(stacks.runtime).filter(({ actions }) => actions.includes('dynamodb:Scan'));
    expect(scanning.map(({ id }) => id)).toEqual([expect.stringMatching(/EraseDeleted/)]);
    for (const { actions, roles } of statements(stacks.runtime)) {
      const touchesTable = actions.some((action: string) => action.startsWith('dynamodb:') && !/Stream/.test(action));
      if (touchesTable) expect(roles.join()).not.toMatch(/^(Engine|AiPlane)/);
    }
  });

  const isAi = ({ roles }: { roles: string[] }) => roles.some((role) => role.startsWith('AiPlane'));
  const rights = (resources: Record<string, Resource>) =>
    statements(resources)
      .filter(isAi)
      .flatMap(({ actions }) => actions);

  it('let only steps read replaced objects, and only replaced uploads', () => {
    const readers = statements(stacks.runtime).filter(({ actions }) => actions.includes('s3:GetObjectVersion'));
    expect(readers.map(({ id }) => id)).toEqual([1, 2, 3, 4].map(() => expect.stringMatching(/^PipelinePlaneRunStep/)));
    for (const { resource } of readers) expect(JSON.stringify(resource)).toContain('/W/*/uploads/*"');
  });

  it('let only the AI function read the key of the AI provider, and nothing else', () => {
    const own = ['logs:CreateLogStream', 'logs:PutLogEvents', 'ssm:GetParameter'];
    expect(
      rights(stacks.runtime)
        .filter((action) => !action.startsWith('xray:'))
        .sort(),
    ).toEqual(own);
    const readers = statements(stacks.runtime).filter(({ resource }) => JSON.stringify(resource).includes('ai-key'));
    expect(readers.length).toBeGreaterThan(0);
    expect(readers.every(isAi)).toBe(true);
  });

  it('let the AI function call the one model of a deployment on Bedrock', async () => {
    const { runtime } = await fullStacks();
    const models = statements(runtime).filter(({ actions }) => actions.includes('bedrock:InvokeModel'));
    expect(models.every(isAi)).toBe(true);
    const named = JSON.stringify(models.map(({ resource }) => resource));
    expect(named).toContain('inference-profile/eu.maker.model-v1:0');
    expect(named).toContain('::foundation-model/maker.model-v1:0');
  });
});

describe('functions', () => {
  it('reserve nothing of what the account can run at once: new accounts have nothing to reserve', () => {
    for (const [id, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::Function')) {
      expect(Properties.ReservedConcurrentExecutions, id).toBeUndefined();
    }
  });

  it('all run on the processor that the operator chose', async () => {
    const { runtime } = await fullStacks();
    for (const [id, { Properties }] of ofType(runtime, 'AWS::Lambda::Function')) {
      expect(Properties.Architectures, id).toEqual(['x86_64']);
    }
  });

  it('all have memory, timeout, processor, log group and retention set', () => {
    for (const [id, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::Function')) {
      expect(Properties, id).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
      expect(Properties.MemorySize, id).toBeGreaterThan(0);
      expect(Properties.Timeout, id).toBeGreaterThan(0);
      const [logGroup] = references(Properties.LoggingConfig);
      expect(stacks.runtime[logGroup!]!.Properties.RetentionInDays, id).toBe(30);
      expect(JSON.stringify(Properties.Environment).length, id).toBeLessThan(4096);
    }
  });
});

describe('chains of messages', () => {
  /** The functions that each function reaches by a queue or a call, by logical ids. */
  function callees(): Map<string, Set<string>> {
    const consumers = new Map<string, string>();
    for (const [, { Properties }] of ofType(stacks.runtime, 'AWS::Lambda::EventSourceMapping')) {
      const [queue] = references(Properties.EventSourceArn);
      if (queue) consumers.set(queue, references(Properties.FunctionName)[0]!);
    }
    const all = statements(stacks.runtime);
    return new Map(
      ofType(stacks.runtime, 'AWS::Lambda::Function').map(([id, { Properties }]) => {
        const [role] = references(Properties.Role);
        const reached = all
          .filter(({ roles }) => roles.includes(role!))
          .filter(({ actions }) => actions.some((each) => /^(sqs:SendMessage|lambda:InvokeFunction)$/.test(each)))
          .flatMap(({ resource }) => references(resource))
          .map((target) => consumers.get(target) ?? target);
        return [id, new Set(reached)];
      }),
    );
  }

  it('may be long exactly for the functions that send to themselves, and each of these says what ends them', () => {
    const next = callees();
    const reaches = (from: string, target: string, seen = new Set<string>()): boolean =>
      [...(next.get(from) ?? [])].some((each) => {
        if (each === target) return true;
        if (seen.has(each)) return false;
        return reaches(each, target, seen.add(each));
      });
    const functions = ofType(stacks.runtime, 'AWS::Lambda::Function');
    const inLoops = functions.filter(([id]) => reaches(id, id)).map(([id]) => id);
    const allowed = functions.filter(([, { Properties }]) => Properties.RecursiveLoop === 'Allow').map(([id]) => id);
    expect(inLoops.length).toBeGreaterThanOrEqual(4);
    expect(allowed).toEqual(inLoops);
  });
});

const STEP = 'arn:aws:lambda:us-east-1:123456789012:function:b';

describe('machines', () => {
  it.each([
    ['run', runMachineDefinition({ runLifecycle: 'arn:aws:lambda:us-east-1:123456789012:function:a' })],
    [
      'step',
      stepMachineDefinition({
        small: `${STEP}-small`,
        medium: STEP,
        large: `${STEP}-large`,
        xlarge: `${STEP}-xlarge`,
      }),
    ],
    [
      'step, with Athena,',
      stepMachineDefinition(
        { small: `${STEP}-small`, medium: STEP, large: `${STEP}-large`, xlarge: `${STEP}-xlarge` },
        undefined,
        { workGroup: 'steps' },
      ),
    ],
  ])('accepts the %s machine as valid Amazon States Language', (_name, definition) => {
    const { isValid, errors } = validate(definition);
    expect(errors).toEqual([]);
    expect(isValid).toBe(true);
  });
});

describe('Athena', () => {
  it('is absent unless the operator enables it', () => {
    expect(ofType(stacks.runtime, 'AWS::Athena::WorkGroup')).toEqual([]);
    expect(ofType(stacks.runtime, 'AWS::Glue::Database')).toEqual([]);
    expect(JSON.stringify(stacks.runtime)).not.toContain('athena');
  });

  it('limits what a statement may read, and encrypts what it writes', async () => {
    const [[, group] = []] = ofType((await fullStacks()).runtime, 'AWS::Athena::WorkGroup');
    expect(group!.Properties.WorkGroupConfiguration).toMatchObject({
      BytesScannedCutoffPerQuery: 1024 ** 4,
      EnforceWorkGroupConfiguration: true,
      EngineVersion: { SelectedEngineVersion: 'Athena engine version 3' },
      ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_S3' } },
    });
  });

  it('is only for the step machine: one work group, the tables of attempts, and their objects', async () => {
    const { runtime } = await fullStacks();
    const holders = ofType(runtime, 'AWS::IAM::Policy').filter(([, policy]) =>
      /athena:|glue:/.test(JSON.stringify(policy)),
    );
    expect(holders.map(([id]) => id)).toEqual([expect.stringMatching(/^PipelinePlaneStepMachine/)]);
    const statements = holders[0]![1].Properties.PolicyDocument.Statement as {
      Action: string | string[];
      Resource: unknown;
    }[];
    const resourcesOf = (prefix: string) =>
      JSON.stringify(
        statements
          .filter(({ Action }) => [Action].flat().some((each) => each.startsWith(prefix)))
          .map(({ Resource }) => Resource),
      );
    expect(resourcesOf('athena:Start')).toContain('workgroup/AnalyticsRuntime-steps');
    expect(resourcesOf('glue:')).toContain('table/analyticsruntime_steps/rows_*');
    expect(resourcesOf('s3:Put')).toMatch(/results\/\*.*staging\/\*/);
    const steps = ofType(runtime, 'AWS::Lambda::Function').filter(([id]) => /PipelinePlaneRunStep/.test(id));
    for (const [id, { Properties }] of steps) {
      expect(Properties.Environment.Variables, id).toMatchObject({
        ATHENA_DATABASE: 'analyticsruntime_steps',
        ATHENA_FROM_MB: '512',
      });
    }
  });
});

describe('size and alarms', () => {
  it('stays below the 500 resources that a stack may have', () => {
    for (const resources of Object.values(stacks)) expect(Object.keys(resources).length).toBeLessThan(470);
  });

  it('has alarms for a failing API, for every dead-letter queue, for machines and for functions that crash', () => {
    const alarms = ofType(stacks.observability, 'AWS::CloudWatch::Alarm');
    const ids = alarms.map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));
    const errors = ['Engine', 'EraseDeleted', 'FanOut', 'RunJob', 'RunStep', 'SendReports', 'Sender', 'Tick'].map(
      (name) => `${name}Errors`,
    );
    const deadLetters = ['Captures', 'Deliveries', 'Jobs', 'Mails', 'Outbox', 'Reports', 'Targets', 'Work'].map(
      (name) => `${name}DeadLetters`,
    );
    const machines = ['Run', 'Step'].map((name) => `${name}MachineFailures`);
    expect(ids.sort()).toEqual(['ApiFaults', ...errors, ...deadLetters, ...machines].sort());
    const queues = ofType(stacks.runtime, 'AWS::SQS::Queue').filter(([, { Properties }]) => !Properties.RedrivePolicy);
    expect(queues).toHaveLength(deadLetters.length);
  });

  it('watches steps of every size, with twelve metrics more than the ten that are free', () => {
    const alarms = ofType(stacks.observability, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const counts = alarms.map(
      ({ Metrics = [{ MetricStat: {} }] }) => Metrics.filter((each: object) => 'MetricStat' in each).length,
    );
    expect(Math.max(...counts)).toBe(4);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(22);
  });
});
