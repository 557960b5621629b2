import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { withFault } from '../../../support/faults.ts';
import { givenProvisioner, givenUser, SCIM } from '../../../support/given/provisioner.ts';

it('says in the form of SCIM that the service is busy while the table takes no more, and goes on when it does', async ({
  api,
}) => {
  const { caller } = await givenProvisioner(api);
  const user = await givenUser(caller);
  const get = () => caller.get(`${SCIM}/Users`);
  const reply = await withFault(api, { service: 'dynamodb', operation: 'Query', effect: 'throttle' }, get);
  expect(reply).toMatchObject({
    status: 503,
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '503' },
  });
  expect(reply.headers.get('retry-after')).toBe('5');
  expect((await get()).status).toBe(200);

  const change = { userName: user.userName, title: 'Busy' };
  const put = () => caller.put(`${SCIM}/Users/${user.id}`, change);
  const failed = await withFault(
    api,
    { service: 'dynamodb', operation: 'TransactWriteItems', effect: 'throttle' },
    put,
  );
  expect(failed.status).toBe(503);
  expect((await caller.get(`${SCIM}/Users/${user.id}`)).body).toEqual(user);
  expect((await put()).body.title).toBe('Busy');
});
