import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type ExportedTerm, writeTerms } from '../../../../shared/domains/catalog/terms/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { cases } from '../../../support/cases.ts';
import { EXPORT, exportCsv, IMPORT, importCsv } from '../../../support/given/glossary-files.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenTerm, TERMS } from '../../../support/given/terms.ts';

const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';
const counts = (given: object) => ({ created: 0, updated: 0, proposed: 0, unchanged: 0, finished: true, ...given });

async function termsOf(api: Api): Promise<Record<string, unknown>[]> {
  return (await api.as('viewer').get(`${TERMS}?limit=100&sort=name`)).body.items;
}

/** The acts on terms in the audit log, sorted. */
async function loggedOf(api: Api): Promise<string[]> {
  const { items } = (await api.as('owner').get('/api/audit-log?limit=100')).body;
  const own = items.filter(
    ({ object, workspaceId }: { object: { type: string }; workspaceId: string }) =>
      object.type === 'term' && workspaceId === api.workspaceId,
  );
  return own.map(({ action }: { action: string }) => action).sort();
}

describe('terms as CSV', () => {
  it('are created and changed; absent columns stay, empty cells are cleared', async ({ api }) => {
    const editor = api.as('editor');
    const made = await importCsv(
      editor,
      [
        'name,definition,status,synonyms,tags,broader,related',
        'Revenue,"What customers pay,\nfor services",In_Review,Turnover||Sales\\|net,Money|money,,Churn',
        'ARR,Yearly,,,,revenue,',
        'Churn,Who leaves,,,,,',
      ].join('\r\n'),
    );
    expect(made).toMatchObject({ status: 200, body: { total: 3, ...counts({ created: 3 }) } });
    const [arr, churn, revenue] = await termsOf(api);
    expect(revenue).toMatchObject({
      ...{ name: 'Revenue', definition: 'What customers pay,\nfor services', status: 'in_review' },
      ...{ synonyms: ['Turnover', 'Sales|net'], tags: ['money'], abbreviation: null, revision: 1 },
    });
    expect(made.body.changes.map(({ id, line }: { id: string; line: number }) => [id, line])).toEqual([
      [revenue!.id, 2],
      [arr!.id, 4],
      [churn!.id, 5],
    ]);
    const details = async (term: object) => (await editor.get(`${TERMS}/${(term as { id: string }).id}`)).body;
    expect((await details(arr!)).relations.broader).toMatchObject([{ name: 'Revenue' }]);
    expect((await details(churn!)).relations.related).toMatchObject([{ name: 'Revenue' }]);

    // By name or by id, in any case of the name; the file has neither tags nor relations.
    const changed = await importCsv(
      editor,
      `id,name,synonyms,abbreviation\n,REVENUE,,R\n${arr!.id},Recurring revenue,MRR,\n`,
    );
    expect(changed.body).toMatchObject({
      total: 2,
      ...counts({ updated: 2 }),
      changes: [
        { action: 'updated', name: 'REVENUE', members: ['name', 'synonyms', 'abbreviation'] },
        { action: 'updated', id: arr!.id, members: ['name', 'synonyms'] },
      ],
    });
    expect(await details(revenue!)).toMatchObject({
      ...{ name: 'REVENUE', synonyms: [], tags: ['money'], abbreviation: 'R', revision: 2 },
      relations: { narrower: [{ name: 'Recurring revenue' }], related: [{ name: 'Churn' }] },
    });
    expect(await editor.get(`${TERMS}?name=ARR`)).toMatchObject({ body: { total: 0 } });
    // A related term that either row names stays; one that neither names goes.
    await importCsv(editor, 'name,related,broader\nRevenue,,\nRecurring revenue,,\n');
    expect((await details(churn!)).relations.related).toEqual([]);
    expect((await details(arr!)).relations.broader).toEqual([]);
    await expectUnchanged(api);
  });

  it('come back as they were, whatever they contain', async ({ api }) => {
    const terms = fc.sample(glossary, { numRuns: cases(4, 40), seed: Number(process.env.SEED ?? 1) });
    for (const [index, given] of terms.entries()) {
      const csv = writeTerms(given.map((term) => ({ ...term, name: `${term.name} ${index}` })));
      const imported = await api.as('owner').post(IMPORT, { csv });
      expect(imported, csv).toMatchObject({ status: 200, body: { created: given.length } });
      const stored = await termsOf(api);
      for (const term of given)
        expect(stored).toContainEqual(expect.objectContaining({ ...contentOf(term), name: `${term.name} ${index}` }));
      await expectUnchanged(api);
    }
  });

  it('are only listed in a dry run', async ({ api }) => {
    const owner = api.as('owner');
    const term = await givenTerm(api, 'Margin');
    const reply = await importCsv(owner, 'name,definition\nMargin,Other\nChurn,New\n', '?dryRun=true');
    expect(reply).toMatchObject({
      status: 200,
      body: {
        ...counts({ created: 1, updated: 1 }),
        dryRun: true,
        changes: [
          { line: 2, id: term.id, action: 'updated', members: ['definition'] },
          { line: 3, id: null, action: 'created' },
        ],
      },
    });
    expect((await termsOf(api)).map(({ name, revision }) => [name, revision])).toEqual([['Margin', 1]]);
    expect(await loggedOf(api)).toEqual(['term.created']);
  });

  it('may exchange their names, and every change is in the audit log', async ({ api }) => {
    const owner = api.as('owner');
    const [a, b] = [await givenTerm(api, 'Gross'), await givenTerm(api, 'Net')];
    const swap = await importCsv(owner, `id,name,related\n${a.id},Net,Gross\n${b.id},Gross,\n`);
    expect(swap.body).toMatchObject(counts({ updated: 2 }));
    expect((await owner.get(a.path)).body).toMatchObject({ name: 'Net', relations: { related: [{ name: 'Gross' }] } });
    expect(await owner.post(TERMS, { name: 'net', definition: 'x' })).toMatchObject({ status: 409 });
    expect((await owner.get(`${TERMS}?name=Gross`)).body.items).toMatchObject([{ id: b.id }]);
    const moved = await importCsv(owner, `id,name\n${a.id},Third\n`);
    expect(moved.body).toMatchObject(counts({ updated: 1 }));
    expect((await owner.post(TERMS, { name: 'net', definition: 'x' })).status).toBe(201);
    expect(await loggedOf(api)).toEqual([
      ...Array(3).fill('term.created'),
      'term.related',
      ...Array(3).fill('term.updated'),
    ]);
  });

  it('change as a whole or not at all; every issue has its line and column', async ({ api }) => {
    const owner = api.as('owner');
    await givenTerm(api, 'Margin');
    const wrong = async (csv: string) => {
      const reply = await importCsv(owner, csv);
      expect(reply, csv).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      return reply.body.errors.map(
        ({ code, position }: { code: string; position: { line: number; column: number } }) =>
          `${code} ${position.line}:${position.column}`,
      );
    };
    expect(
      await wrong(
        [
          'id,name,definition,status,exact_match,owners,broader',
          ',Good,x,,,,',
          `${UNKNOWN},Bad id,x,,,,`,
          ',,x,,,,',
          ',No text,,,,,',
          `,Wrong,x,aproved,nowhere,${UNKNOWN},`,
          ',good,x,,,,',
        ].join('\n'),
      ),
    ).toEqual([
      ...['TERM_NOT_FOUND 3:1', 'REQUIRED 4:2', 'REQUIRED 5:10'],
      ...['ENUM 6:10', 'FORMAT 6:18', 'NOT_A_MEMBER 6:26', 'REPEATED 7:2'],
    ]);
    expect(await wrong('name,definition,broader\nNew,x,New|Nothing\n')).toEqual([
      'TERM_CYCLE 2:7',
      'TERM_NOT_FOUND 2:7',
    ]);
    expect(await wrong('nam,definition\nx,x\n')).toEqual(['UNKNOWN_COLUMN 1:1']);
    expect(await wrong('definition\nx\n')).toEqual(['REQUIRED 1:1']);
    expect(await wrong('name,name\nx,x\n')).toEqual(['REPEATED 1:6']);
    expect(await wrong('name,definition\nx\n')).toEqual(['CELLS 2:1']);
    expect(await wrong('name,definition\n"x,x\n')).toEqual(['OPEN_QUOTE 2:1']);
    const other = await givenTerm(api, 'Other');
    expect(await wrong(`id,name\n${other.id},margin\n`)).toEqual(['TERM_NAME_TAKEN 2:38']);
    expect((await wrong(`name\n${Array.from({ length: 10_001 }, (_, at) => `n${at}`).join('\n')}`))[0]).toBe(
      'TOO_MANY 10002:1',
    );
    const chain = Array.from({ length: 12 }, (_, at) => `L${at},x,${at < 11 ? `L${at + 1}` : ''}`);
    expect(await wrong(`name,definition,broader\n${chain.join('\n')}`)).toContain('TERM_TOO_DEEP 2:6');
    expect(await wrong('name,definition,replaced_by\nA,x,B\nB,x,C\nC,x,A\n')).toEqual([
      ...['TERM_CYCLE 2:5', 'TERM_CYCLE 3:5', 'TERM_CYCLE 4:5'],
    ]);
    const many = Array.from({ length: 501 }, (_, at) => `M${at},x,Hub`);
    expect((await wrong(`name,definition,broader\nHub,x,\n${many.join('\n')}`))[0]).toBe('TERM_FULL 3:6');
    expect(await owner.post(IMPORT, { csv: '' })).toMatchObject({ status: 400 });
    expect((await termsOf(api)).map(({ name }) => name)).toEqual(['Margin', 'Other']);
    // Nothing is left that keeps terms from being changed.
    await givenTerm(api, 'Last');
  });

  it('are changed with the rights of the caller: changes of approved terms become proposals', async ({ api }) => {
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const me = (await editor.get('/api/auth/me')).body.user.id;
    const term = await givenTerm(api, 'Margin', { status: 'approved', synonyms: ['Profit'] });
    await givenTerm(api, 'Churn', { status: 'approved', reviewerIds: [me] });
    const exported = await exportCsv(editor);
    expect((await importCsv(editor, exported)).body).toMatchObject({ total: 2, ...counts({ unchanged: 2 }) });

    const file = 'name,definition,status\nMargin,Better,approved\nChurn,Clearer,approved\n';
    const reply = await importCsv(editor, file);
    expect(reply.body).toMatchObject(counts({ updated: 1, proposed: 1 }));
    expect((await owner.get(term.path)).body).toMatchObject({ definition: 'What Margin means', status: 'approved' });
    expect((await importCsv(editor, file)).body).toMatchObject(counts({ unchanged: 2 }));
    const { items } = (await editor.get(`${term.path}/proposals`)).body;
    expect(items).toMatchObject([{ changes: { definition: 'Better' }, state: 'open', proposedBy: me }]);
    expect((await loggedOf(api)).filter((action) => action === 'term.proposed')).toHaveLength(1);
    const accepted = await owner.post(`${term.path}/proposals/${items[0].id}/accept`);
    expect(accepted.body).toMatchObject({ definition: 'Better', status: 'approved' });

    const only = async (csv: string) => {
      const refused = await importCsv(editor, csv);
      expect(refused.body.errors, csv).toMatchObject([{ code: 'TERM_REVIEWERS_ONLY', position: { line: 2 } }]);
    };
    await only('name,definition,status\nNew,x,approved\n');
    await only(`name,definition,reviewers\nNew,x,${me}\n`);
    await only(`name,reviewers\nMargin,${me}\n`);
    await only('name,broader\nMargin,Churn\n');
    await givenTerm(api, 'Draft');
    await only('name,status\nDraft,approved\n');
    expect((await termsOf(api)).map(({ name }) => name)).toEqual(['Churn', 'Draft', 'Margin']);
    const colleague = await givenMember(api, 'viewer');
    expect(await importCsv(api.as(colleague), file)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await exportCsv(api.as(colleague))).toBe(await exportCsv(owner));
  });

  it('lose their certification if someone who may not certify changes what they mean', async ({ api }) => {
    const [first, second] = [await givenTerm(api, 'Margin'), await givenTerm(api, 'Churn')];
    const owner = api.as('owner');
    const certification = ({ id }: { id: string }) => `/api/catalog/certifications/term/${id}`;
    for (const term of [first, second])
      expect((await owner.put(certification(term), { status: 'certified' })).status).toBe(200);
    const file = (text: string) => `name,definition,tags\nMargin,${text},a\nChurn,What Churn means,a\n`;
    expect((await importCsv(owner, file('Clearer'))).body).toMatchObject(counts({ updated: 2 }));
    expect((await owner.get(certification(first))).body).toMatchObject({ status: 'certified' });
    expect((await importCsv(api.as('editor'), file('Other'))).body).toMatchObject(counts({ updated: 1, unchanged: 1 }));
    expect((await owner.get(certification(first))).body).toMatchObject({ status: 'none' });
    expect((await owner.get(certification(second))).body).toMatchObject({ status: 'certified' });
  });

  it('of another workspace do not exist', async ({ api }) => {
    const term = await givenTerm(api, 'Margin');
    const stranger = api.as('stranger');
    expect(await exportCsv(stranger)).not.toContain('Margin');
    expect(await importCsv(stranger, `id,name\n${term.id},Mine\n`)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'TERM_NOT_FOUND' }] },
    });
    expect((await importCsv(stranger, 'name,definition,related\nMine,x,Margin\n')).body.errors).toMatchObject([
      { code: 'TERM_NOT_FOUND' },
    ]);
    expect((await importCsv(stranger, 'name,definition\nMargin,Theirs\n')).body).toMatchObject(counts({ created: 1 }));
    expect((await api.as('owner').get(term.path)).body).toMatchObject({ definition: 'What Margin means', revision: 1 });
  });

  it('are a link if the file is large or the caller wants JSON', async ({ api }) => {
    const owner = api.as('owner');
    const rows = Array.from({ length: 450 }, (_, at) => `Term ${at},${'x'.repeat(9_900)}`);
    const csv = `name,definition\n${rows.join('\n')}\n`;
    expect((await importCsv(owner, csv)).body).toMatchObject(counts({ created: 450 }));
    const link = await owner.get(EXPORT, { headers: { accept: 'text/csv' } });
    expect(link).toMatchObject({ status: 200, body: { contentType: 'text/csv' } });
    const file = await (await fetch(link.body.downloadUrl)).text();
    expect(file.split('\r\n')).toHaveLength(452);
    expect(await owner.get(EXPORT, { headers: { accept: 'application/json' } })).toMatchObject({
      status: 200,
      body: { bytes: Buffer.byteLength(file) },
    });
    expect(await owner.get(EXPORT, { headers: { accept: 'image/png' } })).toMatchObject({ status: 406 });
  });
});

async function expectUnchanged(api: Api): Promise<void> {
  const owner = api.as('owner');
  const before = await termsOf(api);
  const csv = await exportCsv(owner);
  const { body } = await importCsv(owner, csv);
  expect(body, csv).toMatchObject({ total: before.length, ...counts({ unchanged: before.length }), changes: [] });
  expect(await termsOf(api)).toEqual(before);
  expect(await exportCsv(owner)).toBe(csv);
}

const CHARACTERS = ['a', 'Z', '7', ' ', "'", '"', ',', '|', '\\', '=', '+', '-', '@', ';', 'é', 'ع', '\u202e', '🙂'];
const textOf = (characters: readonly string[]) =>
  fc
    .string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 12 })
    .filter((value) => value.trim() !== '');
const name = textOf(CHARACTERS);
const text = textOf([...CHARACTERS, '\n', '\r', '\t']);
const names = fc.uniqueArray(name, { maxLength: 4 });
const glossary = fc.uniqueArray(
  fc.record({
    id: fc.constant(''),
    name: name.map((value) => `${value}.`),
    definition: text,
    abbreviation: fc.option(name, { nil: null }),
    synonyms: names,
    hiddenSynonyms: names,
    examples: fc.option(fc.oneof(text, fc.constant('')), { nil: null }),
    tags: names.map((tags) => [...new Set(tags.map((tag) => tag.trim().normalize('NFKC').toLowerCase()))]),
    exactMatch: fc.constant<string[]>(['https://glossary.example.com/a%7Cb?x=1,2']),
    ownerIds: fc.constant<string[]>([]),
    reviewerIds: fc.constant<string[]>([]),
    status: fc.constantFrom('draft' as const, 'in_review' as const, 'approved' as const, 'deprecated' as const),
    broader: fc.constant<string[]>([]),
    related: fc.constant<string[]>([]),
    replacedBy: fc.constant<string[]>([]),
  }),
  { maxLength: 5, minLength: 1, selector: (term) => term.name.normalize('NFKC').toLowerCase() },
);

const contentOf = ({ id: _id, broader: _b, related: _r, replacedBy: _s, ...content }: ExportedTerm) => content;
