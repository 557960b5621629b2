import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GROUPS } from '../../functions/api.ts';
import { defineGroup, section } from '../../functions/group.ts';
import { container as stepContainer } from '../../functions/pipelines/workers/run-step/resources.ts';
import type { Access, GroupResources, ObjectArea, WorkerResources } from '../../functions/resources.ts';
import { WORKERS } from '../../functions/workers.ts';
import { pascalCase } from '../../infra/constructs/construct-paths.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { GatewayMatcher } from '../support/gateway-matcher.ts';
import { bundlesBuilt } from '../support/setup/ask.ts';
import { ofType, type Resource, references, rightsOf, type Stacks, stacksWith } from '../support/templates.ts';

const ROOT = join(import.meta.dirname, '../..');

const things = defineRoute({
  operationId: 'getThing',
  method: 'GET',
  path: '/api/things/{id}',
  summary: 'A thing',
  permission: 'pipelines:read',
  params: Type.Object({ id: Type.String() }),
  success: { status: 200, body: Type.Object({}) },
});

/** An endpoint group that the product does not have. */
const THINGS = defineGroup({
  name: 'things',
  sections: [section('Things', 'Things.', { things }, { things: {} })],
  paths: ['/api/things'],
  resources: {
    memoryMb: 1024,
    table: 'read',
    secrets: ['master-secret'],
    objects: { read: ['staging'], write: ['results'] },
    sendsTo: ['jobs'],
    invokes: ['engine'],
    settings: ['ALLOWED_PRIVATE_CIDRS'],
  },
});

let stacks: Stacks;
beforeAll(async () => {
  // A build replaces everything in dist/.
  await bundlesBuilt();
  await mkdir(join(ROOT, 'dist/things'), { recursive: true });
  await writeFile(join(ROOT, 'dist/things/index.mjs'), 'export const handler = () => undefined;\n');
  stacks = await stacksWith([...GROUPS, THINGS]);
});
afterAll(() => rm(join(ROOT, 'dist/things'), { recursive: true }));

function functionOf(name: string): Resource['Properties'] {
  const found = ofType(stacks.runtime, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === `AnalyticsRuntime-${name}`,
  );
  if (!found) throw new Error(`there is no function ${name}`);
  return found[1].Properties;
}

/** What the role of a function may do beside writing its log and traces. */
function rights(name: string): string[] {
  const [role] = references(functionOf(name).Role);
  return rightsOf(stacks.runtime, role!).filter((right) => !/^(logs|xray):/.test(right));
}

const TABLE = {
  read: ['GetItem', 'BatchGetItem', 'Query'].map((action) => `dynamodb:${action} <Table>`),
  write: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((action) => `dynamodb:${action} <Table>`),
};

const AREAS: Record<ObjectArea, string> = {
  uploads: '<Data>/W/*/uploads/*',
  catalogues: '<Data>/W/*/catalogues/*',
  datasets: '<Data>/W/*/datasets/*',
  quality: '<Data>/W/*/quality/*',
  definitions: '<Data>/W/*/dags/*',
  watermarks: '<Data>/W/*/watermarks/*',
  changes: '<Data>/W/*/cdc/*',
  vectors: '<Data>/W/*/search/*',
  staging: '<Data>/staging/*',
  results: '<Data>/results/*',
};

const OBJECTS = {
  read: 's3:GetObject',
  readVersions: 's3:GetObjectVersion',
  write: 's3:PutObject',
  abortUploads: 's3:AbortMultipartUpload',
  remove: 's3:DeleteObject',
};

const QUEUES = {
  work: '<QueuesWorkQueue>',
  jobs: '<QueuesJobsQueue>',
  captures: '<QueuesCapturesQueue>',
  deliveries: '<QueuesDeliveriesQueue>',
  'slow-deliveries': '<QueuesSlowDeliveriesQueue>',
  mails: '<QueuesMailsQueue>',
  reports: '<QueuesReportsQueue>',
  targets: '<QueuesTargetsQueue>',
  alerts: '<QueuesAlertsQueue>',
};

const CONSUME = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

const OUTBOX = [
  ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
    (action) => `dynamodb:${action} <TableStream>`,
  ),
  'sqs:SendMessage <OutboxDeadLetters>',
];

/** The rights that a declaration stands for. */
function declaredRights(access: Access & Partial<WorkerResources>): string[] {
  const { table, objects, consumes = [], startsMachines = [], describesMachines = [] } = access;
  return [
    ...(table === 'read' || table === 'readWrite' ? TABLE.read : []),
    ...(table === 'write' || table === 'readWrite' ? TABLE.write : []),
    ...(access.scansTable ? ['dynamodb:Scan <Table>'] : []),
    ...(access.indexes ?? []).map((index) => `dynamodb:Query <Table>/index/${index}`),
    ...(access.secrets ?? []).map((name) => `ssm:GetParameter parameter/analytics/${name}`),
    ...(objects ? ['s3:ListBucket <Data>'] : []),
    ...Object.entries(objects ?? {}).flatMap(([right, areas]) =>
      areas.map((area) => `${OBJECTS[right as keyof typeof OBJECTS]} ${AREAS[area]}`),
    ),
    ...(access.sendsTo ?? []).map((queue) => `sqs:SendMessage ${QUEUES[queue]}`),
    ...consumes.flatMap(({ name }) => CONSUME.map((action) => `sqs:${action} ${QUEUES[name]}`)),
    ...(access.returnsMessages ? consumes : []).map(({ name }) => `sqs:ChangeMessageVisibility ${QUEUES[name]}`),
    ...(access.consumesOutbox ? OUTBOX : []),
    ...(access.invokes ?? []).map(
      (name) =>
        `lambda:InvokeFunction <${pascalCase(name)}${GROUPS.some((group) => group.name === name) ? 'Function' : ''}>`,
    ),
    ...startsMachines.map((name) => `states:StartExecution stateMachine:AnalyticsRuntime-${name}`),
    ...describesMachines.map((name) => `states:DescribeStateMachine stateMachine:AnalyticsRuntime-${name}`),
    ...(access.returnsTaskTokens ?? []).map(
      (result) => `states:SendTask${result === 'success' ? 'Success' : 'Failure'} *`,
    ),
    ...(access.sendsMail ? ['ses:SendEmail identity/example.com'] : []),
    ...(access.callsLanguageModel
      ? [
          'inference-profile/eu.maker.model-v1:0',
          'foundation-model/maker.model-v1:0',
          'foundation-model/maker.embed-v2:0',
        ].map((model) => `bedrock:InvokeModel ${model}`)
      : []),
  ].sort();
}

const FUNCTIONS: [name: string, declared: GroupResources | WorkerResources][] = [
  ...GROUPS.map(({ name, resources }): [string, GroupResources] => [name, resources]),
  ...WORKERS.flatMap((worker) =>
    Object.keys(worker.sizes?.memoryMb ?? { '': 0 }).map((size): [string, WorkerResources] => [
      size === '' || size === worker.sizes?.usual ? worker.name : `${worker.name}-${size}`,
      worker,
    ]),
  ),
];

describe('the rights of a function', () => {
  it.each(FUNCTIONS)('%s has what it declares and nothing else', (name, declared) => {
    expect(rights(name)).toEqual(declaredRights(declared));
  });

  it('are declared for every function of the stack', () => {
    const names = ofType(stacks.runtime, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.FunctionName);
    expect(names.sort()).toEqual(
      [...FUNCTIONS.map(([name]) => name), 'things'].map((name) => `AnalyticsRuntime-${name}`).sort(),
    );
  });

  it('are those of the declaration in a container too', () => {
    const [[, task] = []] = ofType(stacks.runtime, 'AWS::ECS::TaskDefinition');
    const [role] = references(task!.Properties.TaskRoleArn);
    expect(rightsOf(stacks.runtime, role!)).toEqual(declaredRights(stepContainer));
  });

  it('leave the documentation without table and secret, and functions that only read without writes', () => {
    expect(rights('docs')).toEqual([]);
    const writes = rights('pipeline-events').filter((right) =>
      /:(Put|Update|Delete|BatchWrite|ConditionCheck)/.test(right),
    );
    expect(writes).toEqual([]);
    expect(rights('create-owner').filter((right) => /:(Get|BatchGet|Query)/.test(right))).toEqual([]);
  });
});

describe('a new endpoint group', () => {
  it('gets a function of its size with its variables', () => {
    expect(functionOf('things')).toMatchObject({ MemorySize: 1024, Timeout: 29, Description: 'API: things' });
    expect(Object.keys(functionOf('things').Environment.Variables).sort()).toEqual([
      'ALLOWED_PRIVATE_CIDRS',
      'DATA_BUCKET',
      'ENGINE_FUNCTION',
      'JOB_QUEUE_URL',
      'MASTER_SECRET_PARAMETER',
      'NODE_OPTIONS',
      'POWERTOOLS_LOG_LEVEL',
      'TABLE_NAME',
    ]);
  });

  it('gets its paths and everything below them', () => {
    const gateway = new GatewayMatcher(stacks.runtime);
    for (const path of ['/things', '/things/1', '/things/1/parts']) {
      expect(gateway.match('GET', path), path).toContain('ThingsFunction');
    }
  });

  it('gets its rights', () => {
    expect(rights('things')).toEqual(declaredRights(THINGS.resources));
    expect(rights('things')).toContain('s3:PutObject <Data>/results/*');
  });

  it('is rejected with a route outside of its paths', () => {
    expect(() => defineGroup({ ...THINGS, paths: ['/api/parts'] })).toThrow(
      'getThing has the path /api/things/{id}, which the group things does not serve; add it to `paths` (/api/parts)',
    );
  });

  it.each([
    ['the path of another group', '/api/query', 'The groups query and things both serve /api/query'],
    [
      'another name for a segment',
      '/api/pipelines/{pipelineId}/things',
      '/api/pipelines/{id} and /api/pipelines/{pipelineId} name',
    ],
  ] as const)('is rejected with %s', async (_what, path, message) => {
    const group = { ...THINGS, paths: [path], routes: [] };
    await expect(stacksWith([...GROUPS, group])).rejects.toThrow(message);
  });
});
