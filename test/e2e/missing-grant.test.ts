import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Credentials } from '../../infra/seed.ts';
import type { LocalCloud } from '../../packages/local-cloud/index.ts';
import { call } from '../support/http.ts';
import { SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';
import { openPlatform } from './open-platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'analytics-grants-'));
const TEMPLATE = 'AnalyticsRuntime.template.json';
const ACTION = 'dynamodb:PutItem';
const log: string[] = [];

let cloud: LocalCloud;
let credentials: Credentials;
let complete: string;

beforeAll(async () => {
  ({ cloud, credentials, assembly: complete } = await openPlatform(join(folder, 'data'), (line) => log.push(line)));
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Statement {
  Action: string | string[];
}

/** The assembly without one action of the role of a function. */
function withoutGrant(roleOf: string): string {
  const changed = join(folder, 'changed');
  cpSync(complete, changed, { recursive: true });
  const path = join(changed, TEMPLATE);
  const template = JSON.parse(readFileSync(path, 'utf8')) as {
    Resources: Record<
      string,
      { Type: string; Properties: { Policies: { PolicyDocument: { Statement: Statement[] } }[] } }
    >;
  };
  const roles = Object.entries(template.Resources).filter(
    ([id, { Type }]) => Type === 'AWS::IAM::Role' && id.startsWith(`${roleOf}Role`),
  );
  let removed = 0;
  for (const { PolicyDocument } of roles.flatMap(([, { Properties }]) => Properties.Policies)) {
    for (const statement of PolicyDocument.Statement) {
      const actions = [statement.Action].flat();
      statement.Action = actions.filter((action) => action !== ACTION);
      removed += actions.length - statement.Action.length;
    }
  }
  expect(removed).toBe(1);
  writeFileSync(path, JSON.stringify(template));
  return changed;
}

const save = (name: string) =>
  call(credentials.baseUrl, 'POST', '/api/saved-queries', {
    token: credentials.apiKey,
    body: { name, sql: 'SELECT 1' },
  });

it('without one grant its route fails and the log names the permission; with it the route works again', async () => {
  expect(await save('before')).toMatchObject({ status: 201 });

  await cloud.deploy(withoutGrant('SavedQueriesFunction'));
  expect(await save('without')).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
  const denied = new RegExp(
    `User: arn:aws:sts::000000000000:assumed-role/AnalyticsRuntime-SavedQueriesFunctionRole\\S+ is not authorized to perform: ${ACTION} on resource: arn:aws:dynamodb:us-east-1:000000000000:table/\\S+ because no identity-based policy allows the ${ACTION} action`,
  );
  expect(log).toContainEqual(expect.stringMatching(denied));
  const logs = new CloudWatchLogsClient({
    endpoint: cloud.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const logGroupName = await groupOf(logs, 'SavedQueries');
  await expect
    .poll(async () => {
      const { events = [] } = await logs.send(new FilterLogEventsCommand({ logGroupName }));
      return events.some(({ message }) => denied.test(message!));
    })
    .toBe(true);
  logs.destroy();

  await cloud.deploy(complete);
  expect(await save('after')).toMatchObject({ status: 201 });
});

async function groupOf(logs: CloudWatchLogsClient, part: string): Promise<string> {
  const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePattern: part }));
  return logGroups[0]!.logGroupName!;
}
