import { expect } from 'vitest';
import { search } from '../../../../functions/catalog/search/use-cases/search.ts';
import {
  type Findable,
  workspaceCatalogue,
} from '../../../../functions/catalog/search/use-cases/workspace-catalogue.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { it } from '../../../support/api.ts';
import { NO_MEANING } from '../../../support/given/meaning.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

it('a load of the search that takes longer than a later one does not bring earlier texts back', async ({ api }) => {
  const owner = api.as('owner');
  const { id } = (await owner.post('/api/reports', { name: 'Numbat' })).body;
  const userId = (await owner.get('/api/auth/me')).body.user.id;
  const { workspaceId, companyId } = api;
  const principal = (await memberPrincipal(api.table, { workspaceId, companyId, userId }))!;
  const released = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  let isHeld = true;
  const send = api.table.db.send.bind(api.table.db) as (command: object) => Promise<unknown>;
  /** While it is held, only reports are read. */
  const holding = async (command: object) => {
    const waits = isHeld && !JSON.stringify(command).includes('#REPORT');
    const reply = await send(command);
    if (JSON.stringify(reply).includes('Numbat')) read.resolve();
    if (waits) await released.promise;
    return reply;
  };
  const table = { ...api.table, db: { send: holding } } as unknown as Table;
  let at = Date.now();
  const findable = workspaceCatalogue({
    table,
    checkProduct: async () => undefined,
    now: () => new Date(at),
    ...NO_MEANING,
  });
  const query = (q: string) => ({ q, limit: 10, offset: 0 });
  const deps = {
    cursors: cursors(new MasterSecret(() => readMasterSecret(api.endpoint))),
    now: () => new Date(at),
    ...NO_MEANING,
  };
  const results = async (seen: Promise<Findable>, q: string) =>
    (await search(deps, principal, await seen, query(q))).items;
  const found = async (q: string) => (await results(findable(principal), q)).map(({ name }) => name);

  const early = findable(principal);
  await read.promise;
  expect((await owner.put(`/api/reports/${id}`, { name: 'Bandicoot' })).status).toBeLessThan(300);
  isHeld = false;
  at += 5_000;
  expect(await found('bandicoot')).toEqual(['Bandicoot']);
  released.resolve();
  expect(await results(early, 'numbat')).toEqual([]);
  expect(await results(early, 'bandicoot')).toMatchObject([{ id }]);
  expect(await found('bandicoot')).toEqual(['Bandicoot']);
  expect(await found('numbat')).toEqual([]);
});
