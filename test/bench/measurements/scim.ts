import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { groupMemberKey, groupOfUserKey, memberTotalKey } from '../../../shared/domains/tenancy/groups/keys.ts';
import { openTable } from '../../../shared/platform/storage/table.ts';
import type { Bench } from '../bench.ts';
import { HttpClient, type Reply } from '../http-client.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, rounds, spread } from '../spread.ts';

const PER_SECOND = 25;
const SECONDS = 120;
const MEMBERS = 20_000;
const CHANGES = 50;
const LEAVERS = 5;
/** How long nothing may be accepted before a request counts as the last one. */
const QUIET_MS = 8_000;
const SCIM = '/api/scim/v2';

/** An identity provider at the rate that Entra asks of applications, a large group, and people who leave. */
export async function scim(bench: Bench): Promise<Result> {
  const owner = await signIn(bench, bench.deployment.credentials);
  const token = await createToken(bench, owner);
  const idp = new HttpClient({ authorization: `Bearer ${token}` });
  try {
    const load = await underLoad(bench, idp);
    const change = await changesOfLargeGroup(bench, idp);
    const leavers = await rounds(scaled(LEAVERS), () => lastAccepted(bench, owner, idp));
    return {
      title: 'Provisioning by SCIM',
      rows: [...load.rows, ...change, leaverRow(leavers)],
      notes: [
        `${PER_SECOND} requests a second, sent on time whether or not earlier ones were answered, for ${scaled(SECONDS)} seconds: searches by userName, creations, reads and changes of users in turn. ${load.errors} of ${load.count} were answered with an error.`,
        `A person is added to and removed from a group of ${counted(scaled(MEMBERS))} members, one request after the other.`,
        'A deactivated person sends a request every 20 ms by access token. The row says how long after the answer to the deactivation the last one was accepted.',
      ],
      bound: 'the processors, which all functions of this machine share.',
    };
  } finally {
    idp.close();
  }
}

async function signIn({ platform }: Bench, { email, password }: { email: string; password: string }): Promise<string> {
  return (await platform.call<{ accessToken: string }>('POST', '/api/auth/login', { email, password })).accessToken;
}

async function createToken({ platform }: Bench, owner: string): Promise<string> {
  const body = { name: 'bench', workspaceId: platform.workspaceId };
  return (await asOwner<{ token: string }>({ platform }, owner, ['POST', '/api/scim/tokens', body])).token;
}

type Sent = [method: string, path: string, body?: unknown];

async function asOwner<T>(
  { platform }: Pick<Bench, 'platform'>,
  owner: string,
  [method, path, body]: Sent,
): Promise<T> {
  const headers = { authorization: `Bearer ${owner}` };
  return parsed(await platform.http.send(method, platform.endpoint + path, body, headers)) as T;
}

function parsed({ status, text }: Reply): unknown {
  if (status >= 300) throw new Error(`answered ${status}: ${text}`);
  return JSON.parse(text);
}

const newName = () => `bench-${crypto.randomUUID()}@example.com`;

async function newUser({ platform }: Bench, idp: HttpClient): Promise<{ id: string; userName: string }> {
  const body = { userName: newName(), emails: [{ value: newName(), type: 'work' }] };
  return parsed(await idp.send('POST', `${platform.endpoint}${SCIM}/Users`, body)) as { id: string; userName: string };
}

/** What an identity provider does in a cycle. */
function requestsOf(users: readonly { id: string; userName: string }[]): ((index: number) => Sent)[] {
  const user = (index: number) => users[index % users.length]!;
  const patch = (index: number) => ({ Operations: [{ op: 'Replace', path: 'title', value: `Title ${index}` }] });
  return [
    (index) => ['GET', `/Users?filter=${encodeURIComponent(`userName eq "${user(index).userName}"`)}`],
    () => ['POST', '/Users', { userName: newName(), externalId: crypto.randomUUID() }],
    (index) => ['GET', `/Users/${user(index).id}`],
    (index) => ['PATCH', `/Users/${user(index).id}`, patch(index)],
  ];
}

async function underLoad(bench: Bench, idp: HttpClient): Promise<{ rows: Row[]; errors: number; count: number }> {
  const requests = requestsOf(await rounds(20, () => newUser(bench, idp)));
  const count = PER_SECOND * scaled(SECONDS);
  const startedAt = performance.now();
  const pending: Promise<Reply>[] = [];
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, startedAt + (index * 1000) / PER_SECOND - performance.now()));
    const [method, path, body] = requests[index % requests.length]!(index);
    pending.push(idp.send(method, `${bench.platform.endpoint}${SCIM}${path}`, body));
  }
  const replies = await Promise.all(pending);
  const ms = replies.map((reply) => reply.ms);
  const row = (percent: number): Row => {
    const figure = percentile(ms, percent);
    const measured = { median: figure, min: Math.min(...ms), max: Math.max(...ms) };
    const goal = percent === 95 ? { goal: { of: 'measured', atMost: 400 } as const } : {};
    return { what: `a request at ${PER_SECOND} a second, p${percent}`, unit: 'ms', measured, ...goal };
  };
  return { rows: [row(50), row(95)], errors: replies.filter(({ status }) => status >= 400).length, count };
}

async function changesOfLargeGroup(bench: Bench, idp: HttpClient): Promise<Row[]> {
  const { platform } = bench;
  const groups = `${platform.endpoint}${SCIM}/Groups`;
  const { id } = parsed(await idp.send('POST', groups, { displayName: newName() })) as { id: string };
  await fill(bench, id, scaled(MEMBERS));
  const user = await newUser(bench, idp);
  const ms = await rounds(scaled(CHANGES, 4), async (index) => {
    const op = index % 2 === 0 ? 'add' : 'remove';
    const body = { Operations: [{ op, path: 'members', value: [{ value: user.id }] }] };
    const reply = await idp.send('PATCH', `${groups}/${id}`, body);
    parsed(reply);
    return reply.ms;
  });
  const what = `one change in a group of ${counted(scaled(MEMBERS))} members`;
  return [{ what, unit: 'ms', measured: spread(ms), goal: { of: 'measured', atMost: 300 } }];
}

/** Writes the memberships as the API would, without accounts. */
async function fill({ platform }: Bench, groupId: string, count: number): Promise<void> {
  const { TABLE_NAME = '' } = await platform.variablesOf('scim');
  const table = openTable(TABLE_NAME, new DynamoDBClient(platform.awsClient));
  const { workspaceId } = platform;
  const put = (Item: object) => ({ PutRequest: { Item } });
  for (let written = 0; written < count; written += 12) {
    const ids = Array.from({ length: Math.min(12, count - written) }, () => crypto.randomUUID());
    const items = ids.flatMap((userId) => [
      put({ ...groupMemberKey(workspaceId, groupId, userId), groupId, userId, membershipId: userId }),
      put({ ...groupOfUserKey(workspaceId, userId, groupId), membershipId: userId }),
    ]);
    await table.db.send(new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: items } }));
  }
  const total = put({ ...memberTotalKey(workspaceId, groupId), count });
  await table.db.send(new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: [total] } }));
}

/** Seconds from the answer to the deactivation to the last request that was accepted; 0 if there was none. */
async function lastAccepted(bench: Bench, owner: string, idp: HttpClient): Promise<number> {
  const { platform } = bench;
  const person = { email: newName(), password: 'a long enough password' };
  const added: Sent = ['POST', '/api/workspaces/members', { ...person, role: 'viewer' }];
  const { userId } = await asOwner<{ userId: string }>(bench, owner, added);
  const headers = { authorization: `Bearer ${await signIn(bench, person)}` };
  const ask = () => platform.http.send('GET', `${platform.endpoint}/api/auth/me`, undefined, headers);
  if ((await ask()).status !== 200) throw new Error('the person could not sign in');
  const body = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
  parsed(await idp.send('PATCH', `${platform.endpoint}${SCIM}/Users/${userId}`, body));
  const endedAt = performance.now();
  let acceptedAt = endedAt;
  while (performance.now() - acceptedAt < QUIET_MS) {
    const sentAt = performance.now();
    if ((await ask()).status === 200) acceptedAt = sentAt;
    await sleep(20);
  }
  return (acceptedAt - endedAt) / 1000;
}

const leaverRow = (seconds: readonly number[]): Row => ({
  what: 'the last accepted request of a deactivated person',
  unit: 's',
  measured: spread(seconds),
  goal: { of: 'measured', atMost: 60 },
});
