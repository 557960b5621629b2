import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { groupMemberKey, groupOfUserKey } from '../../../shared/domains/tenancy/groups/keys.ts';
import {
  directoryKey,
  memberKey,
  type UserRecord,
  userRecordKey,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { openTable } from '../../../shared/platform/storage/table.ts';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import { HttpClient, type Reply } from '../http-client.ts';
import type { Result } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const ROUNDS = 3;
const PROVISIONED = 1000;
const CLIENTS = 8;
const LISTED = 10_000;
const PAGE = 200;
const SCIM = '/api/scim/v2';
const REFERENCE = join(import.meta.dirname, '../references/bare-directory.ts');

/** The first cycle of an identity provider: it creates everyone, and then reads the whole directory page by page. */
export async function scimDirectory(bench: Bench): Promise<Result> {
  const { platform } = bench;
  const { TABLE_NAME = '' } = await platform.variablesOf('scim');
  const { token, companyId } = await provisioner(bench);
  const idp = new HttpClient({ authorization: `Bearer ${token}` });
  const bare = async (...task: string[]) =>
    (await runChild<{ ms: number }>([REFERENCE, platform.endpoint, TABLE_NAME, ...task])).ms / 1000;
  try {
    const perRound = scaled(Math.ceil(PROVISIONED / ROUNDS), CLIENTS);
    const created = await rounds(ROUNDS, async () => ({
      ours: await provisionUsers(bench, idp, perRound),
      theirs: await bare('write', String(perRound), String(CLIENTS)),
    }));
    await fill(bench, TABLE_NAME, companyId, scaled(LISTED) - perRound * ROUNDS, idp);
    const listed = await rounds(ROUNDS, async () => ({
      ours: await listUsers(bench, idp),
      theirs: await bare('list', companyId, String(PAGE)),
    }));
    const perSecond = (of: 'ours' | 'theirs') => created.map((round) => perRound / round[of]);
    const total = listed.map(({ ours }) => ours.reduce((sum, ms) => sum + ms, 0) / 1000);
    const theirs = listed.map((round) => round.theirs);
    const pages = listed.map(({ ours }) => percentile(ours, 95));
    return {
      title: 'The first cycle of an identity provider',
      rows: [
        {
          what: `users created by ${CLIENTS} clients`,
          unit: '/s',
          measured: spread(perSecond('ours')),
          reference: spread(perSecond('theirs')),
          ratio: ratios(perSecond('theirs'), perSecond('ours')),
          goal: { of: 'ratio', atMost: 5 },
        },
        {
          what: `${counted(scaled(LISTED))} users, page by page`,
          unit: 's',
          measured: spread(total),
          reference: spread(theirs),
          ratio: ratios(total, theirs),
          goal: { of: 'ratio', atMost: 5 },
        },
        { what: `a page of ${PAGE} users, p95`, unit: 'ms', measured: spread(pages) },
      ],
      notes: [
        `${ROUNDS} rounds of ${perRound} creations; a bare process writes as many transactions of eight items. Then ${ROUNDS} reads of all users in pages of ${PAGE}; a bare process reads the list once, and the accounts by page. Most users are written into the table directly, as members of the workspace and of one group.`,
      ],
      bound:
        'a creation is a request to the gateway and a function, which checks name and domain and writes four items more than the reference, on the cores that the reference has alone; a page also has profiles, memberships and groups.',
    };
  } finally {
    idp.close();
  }
}

async function provisioner({ platform, deployment }: Bench): Promise<{ token: string; companyId: string }> {
  const { email, password } = deployment.credentials;
  const login = await platform.call<{ accessToken: string }>('POST', '/api/auth/login', { email, password });
  const headers = { authorization: `Bearer ${login.accessToken}` };
  const body = { name: 'bench directory', workspaceId: platform.workspaceId };
  const made = await platform.http.send('POST', `${platform.endpoint}/api/scim/tokens`, body, headers);
  const company = await platform.http.send('GET', `${platform.endpoint}/api/company`, undefined, headers);
  return { token: parsed<{ token: string }>(made).token, companyId: parsed<{ id: string }>(company).id };
}

function parsed<T>({ status, text }: Reply): T {
  if (status >= 300) throw new Error(`answered ${status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Returns the seconds. */
async function provisionUsers({ platform }: Bench, idp: HttpClient, count: number): Promise<number> {
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const userName = `bench-${crypto.randomUUID()}@example.com`;
      const body = { userName, externalId: crypto.randomUUID(), emails: [{ value: userName, type: 'work' }] };
      parsed(await idp.send('POST', `${platform.endpoint}${SCIM}/Users`, body));
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (performance.now() - startedAt) / 1000;
}

/** Returns the milliseconds of each page. */
async function listUsers({ platform }: Bench, idp: HttpClient): Promise<number[]> {
  const times: number[] = [];
  for (let startIndex = 1, total = 1; startIndex <= total; startIndex += PAGE) {
    const reply = await idp.send('GET', `${platform.endpoint}${SCIM}/Users?startIndex=${startIndex}&count=${PAGE}`);
    total = parsed<{ totalResults: number }>(reply).totalResults;
    times.push(reply.ms);
  }
  return times;
}

/** Writes accounts as the API would, all of them members of the workspace and of a group. */
async function fill(bench: Bench, tableName: string, companyId: string, count: number, idp: HttpClient): Promise<void> {
  const { platform } = bench;
  const { workspaceId } = platform;
  const table = openTable(tableName, new DynamoDBClient(platform.awsClient));
  const group = await idp.send('POST', `${platform.endpoint}${SCIM}/Groups`, { displayName: crypto.randomUUID() });
  const groupId = parsed<{ id: string }>(group).id;
  const put = (Item: object) => ({ PutRequest: { Item } });
  for (let written = 0; written < count; written += 5) {
    const items = Array.from({ length: Math.min(5, count - written) }, () => {
      const [id, membershipId, createdAt] = [newId(), newId(), new Date().toISOString()];
      const email = `bench-${id}@example.com`;
      const dates = { createdAt, updatedAt: createdAt };
      const user: UserRecord = { id, companyId, companyRole: 'member', email, name: email, active: true, ...dates };
      const member = { userId: id, workspaceId, membershipId, email, name: email, role: 'viewer', joinedAt: createdAt };
      return [
        put({ ...user, ...userRecordKey(id), entity: 'user' }),
        put({ ...directoryKey(companyId, createdAt, id), entity: 'listed-user', userId: id }),
        put({ ...member, ...memberKey(workspaceId, id), entity: 'member' }),
        put({ ...groupMemberKey(workspaceId, groupId, id), groupId, userId: id, membershipId }),
        put({ ...groupOfUserKey(workspaceId, id, groupId), membershipId }),
      ];
    });
    await table.db.send(new BatchWriteCommand({ RequestItems: { [tableName]: items.flat() } }));
  }
}
