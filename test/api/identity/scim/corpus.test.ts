import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { userRecordKey } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { givenProvisioner, givenUser, newUserName, SCIM } from '../../../support/given/provisioner.ts';

/** A request as an identity provider sends it, to a user and a group of its own. `{…}` stand for their values. */
interface Case {
  name: string;
  method: string;
  path: string;
  query?: Record<string, string | number>;
  body?: object;
  status: number;
  /** What the reply contains. */
  reply?: object;
  absentInReply?: string[];
  absentInFirst?: string[];
  /** What the resource contains afterwards, and what it does not. */
  after?: object;
  absent?: string[];
  gone?: true;
  /** Who is in the group afterwards. */
  members?: string[];
  /** What the account contains afterwards. */
  stored?: object;
}

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const readCases = (provider: string) =>
  JSON.parse(readFileSync(new URL(`corpus/${provider}.json`, import.meta.url), 'utf8')) as Case[];

/** The user, the group with that user, another user, and the values to fill in for them. */
async function givenResources(api: Api) {
  const { caller } = await givenProvisioner(api);
  const tag = crypto.randomUUID();
  const names = { userName: newUserName(), otherName: newUserName(), groupName: `Team ${tag}` };
  const externalId = `Ext-${tag}`;
  const user = await givenUser(caller, {
    ...names,
    externalId,
    displayName: 'Ada Lovelace',
    title: 'Analyst',
    [ENTERPRISE]: { department: 'Analysis' },
  });
  const other = await givenUser(caller, { userName: names.otherName });
  const group = await caller.post(`${SCIM}/Groups`, { displayName: names.groupName, members: [{ value: user.id }] });
  const values: Record<string, string> = {
    ...names,
    USERNAME: names.userName.toUpperCase(),
    GROUPNAME: names.groupName.toUpperCase(),
    externalId,
    user: user.id,
    other: other.id,
    group: group.body.id,
    tag,
    new: newUserName(),
    missing: newUserName(),
    missingId: crypto.randomUUID(),
  };
  const fill = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)) as T;
  return { caller, values, fill };
}

/** Whether a resource has the attribute: `addresses.0.formatted`, or with a URN `urn:…:User/manager`. */
function has(resource: unknown, place: string): boolean {
  const names = place.startsWith('urn:') ? place.split('/') : place.split('.');
  let value = resource as Record<string, unknown> | undefined;
  for (const name of names) value = value?.[name] as Record<string, unknown> | undefined;
  return value !== undefined;
}

function send(caller: Caller, { method, path, query = {}, body }: Case): Promise<Reply> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]));
  const headers = { 'content-type': 'application/scim+json; charset=utf-8' };
  const content = body === undefined ? {} : { text: JSON.stringify(body), headers };
  return caller.send(method, `${SCIM}${path}?${search}`, content);
}

function expectReply({ body, status }: Reply, expected: Case): void {
  expect(status, JSON.stringify(body)).toBe(expected.status);
  if (expected.reply) expect(body).toMatchObject(expected.reply);
  for (const place of expected.absentInReply ?? []) expect(has(body, place), place).toBe(false);
  for (const place of expected.absentInFirst ?? []) expect(has(body.Resources[0], place), place).toBe(false);
}

function expectAfter({ body, status }: Reply, expected: Case): void {
  expect(status).toBe(expected.gone ? 404 : 200);
  if (expected.after) expect(body).toMatchObject(expected.after);
  for (const place of expected.absent ?? []) expect(has(body, place), place).toBe(false);
  const members = ((body.members ?? []) as { value: string }[]).map(({ value }) => value);
  if (expected.members) expect(members.sort()).toEqual([...expected.members].sort());
}

describe.each(['entra', 'okta'])('requests of %s', (provider) => {
  it.for(readCases(provider))('$name', async (given, { api }) => {
    const { caller, values, fill } = await givenResources(api);
    const request = fill(given);
    expectReply(await send(caller, request), request);
    const [type, id] = request.path.startsWith('/Groups') ? ['Groups', values.group] : ['Users', values.user];
    expectAfter(await caller.get(`${SCIM}/${type}/${id}`), request);
    if (request.stored) expect(await api.stored(userRecordKey(values.user!))).toMatchObject(request.stored);
  });
});
