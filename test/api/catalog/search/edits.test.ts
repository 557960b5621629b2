import { expect } from 'vitest';
import { search } from '../../../../functions/catalog/search/use-cases/search.ts';
import { workspaceCatalogue } from '../../../../functions/catalog/search/use-cases/workspace-catalogue.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { it } from '../../../support/api.ts';
import { cases } from '../../../support/cases.ts';
import { NO_MEANING } from '../../../support/given/meaning.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const EDITS = cases(100, 1_000);
const EDITS_PER_CHECK = 20;
const WORDS = ['Okapi', 'Tapir', 'Numbat', 'Quoll', 'Serval', 'Margay'];

it('after edits, doubled requests and loads that break off, a search answers as a new one', {
  timeout: 60_000 + EDITS * 1_000,
}, async ({ api }) => {
  const owner = api.as('owner');
  const random = seededRandom(41);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const { workspaceId, companyId } = api;
  const userId = (await owner.get('/api/auth/me')).body.user.id;
  const principal = (await memberPrincipal(api.table, { workspaceId, companyId, userId }))!;
  let at = Date.now();
  const now = () => new Date(at);
  const deps = { cursors: cursors(new MasterSecret(() => readMasterSecret(api.endpoint))), now, ...NO_MEANING };

  let breaks = 0;
  const send = api.table.db.send.bind(api.table.db) as (command: object) => Promise<unknown>;
  const breaking = async (command: object) => {
    if (breaks > 0 && random() < 0.2) throw new Error('The connection is gone.');
    return send(command);
  };
  const table = { ...api.table, db: { send: breaking } } as unknown as Table;
  const kept = workspaceCatalogue({ table, checkProduct: async () => undefined, now, ...NO_MEANING });
  const answers = async (findable: typeof kept) => {
    const seen = await findable(principal);
    const queries = [...WORDS, 'okap', 'tapri', 'quolls of may', 'type:report', 'numbers -tapir'];
    const replies = await Promise.all(queries.map((q) => search(deps, principal, seen, { q, limit: 50, offset: 0 })));
    return replies.map(({ nextCursor: _nextCursor, ...reply }) => reply);
  };

  const reports = new Map<string, string>();
  const newName = (edit: number) => `${one(WORDS)} numbers ${edit}`;
  const edits = [
    async (edit: number) => {
      const name = newName(edit);
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const made = await owner.post('/api/reports', { name }, { headers });
      expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
      // A doubled request finds what the first has made.
      await owner.post('/api/reports', { name }, { headers });
      reports.set(made.body.id, name);
    },
    async (edit: number) => {
      const [id] = one([...reports]);
      const name = newName(edit);
      for (let time = 0; time < 2; time++) {
        expect((await owner.put(`/api/reports/${id}`, { name, description: one(WORDS) })).status).toBe(200);
      }
      reports.set(id, name);
    },
    async () => {
      const [id] = one([...reports]);
      for (let time = 0; time < 2; time++) await owner.delete(`/api/reports/${id}`);
      reports.delete(id);
    },
  ] as const;

  for (let edit = 0; edit < EDITS; edit++) {
    const which = reports.size < 3 ? 0 : random() < 0.5 ? 0 : random() < 0.6 ? 1 : 2;
    await edits[which]!(edit);
    if (random() < 0.3) {
      breaks = 1;
      at += 5_000;
      await kept(principal).catch(() => undefined);
      breaks = 0;
    }
    if (edit % EDITS_PER_CHECK !== EDITS_PER_CHECK - 1) continue;
    at += 60_000;
    const rebuilt = workspaceCatalogue({ table: api.table, checkProduct: async () => undefined, now, ...NO_MEANING });
    const [ours, theirs] = [await answers(kept), await answers(rebuilt)];
    expect(ours, `after ${edit + 1} edits`).toEqual(theirs);
    expect(ours[9]!.total).toBe(reports.size);
  }
});
