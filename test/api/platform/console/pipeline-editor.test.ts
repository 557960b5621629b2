import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { scripted } from '../../../support/given/language-model.ts';
import { dagOf, givenFiles, givenPipeline, load, runThatIs, sql, startedRun } from '../../pipelines/pipelines/given.ts';

const consoles = useConsoles();

const stored = async (api: Api, id: string) => (await api.as('editor').get(`/api/pipelines/${id}`)).body;
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);
const nodes = (page: Page) => page.locator('.graph-pane .node-name').allTextContents();
const settings = (page: Page, id: string) => page.getByRole('region', { name: `Settings of ${id}` });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const focused = (page: Page) => page.evaluate('document.activeElement.dataset.node ?? document.activeElement.id');

const NUMBERS = sql('numbers', 'SELECT i AS n FROM range(5) t(i)');

describe.runIf(HAS_CHROMIUM)('the editor of pipelines in the console', () => {
  it.for(HANDS)(
    'makes a pipeline of two steps and runs it in seven actions by %s',
    { timeout: PATIENT },
    async (hand, { api }) => {
      const page = await consoles.open(api, { as: 'editor', path: '/pipelines' });
      const clicks = new Clicks(page, hand);
      await clicks.press(page.getByRole('link', { name: 'New pipeline' }));
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      await expect.poll(() => name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
      if (hand === 'mouse') await expectGoodInAllForms(page, 'editor empty');
      await clicks.type(name, `made by ${hand}`);
      await clicks.press(page.getByRole('button', { name: 'Add a step', exact: true }));
      if (hand === 'mouse') await expectGoodInAllForms(page, 'editor picker');
      await clicks.press(page.getByRole('button', { name: 'SQL one SELECT over its inputs' }));
      await clicks.press(page.getByRole('button', { name: 'Add a step after clean_rows' }));
      await clicks.press(page.getByRole('button', { name: /^Into a dataset/ }));
      await node(page, 'keep_rows').waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'editor new');
      await clicks.press(page.getByRole('button', { name: 'Save and run' }));
      await page.locator('h1 + .status.succeeded').waitFor();
      clicks.expectAtMost(7);
      const { body } = await api.as('editor').get('/api/pipelines');
      expect(body.items[0]).toMatchObject({
        name: `made by ${hand}`,
        dag: {
          version: 1,
          steps: [
            { id: 'clean_rows', type: 'transform_sql', config: { sql: 'SELECT 1 AS n' } },
            {
              id: 'keep_rows',
              type: 'load',
              dependsOn: ['clean_rows'],
              config: { target: { kind: 'dataset', name: 'rows' }, mode: 'overwrite' },
            },
          ],
        },
      });
      // What was saved is no draft any more.
      await page.goto(`${api.endpoint}/api/console/pipelines/new`);
      await page.getByText('There is no step yet').waitFor();
    },
  );

  it('is edited at its own address once it is saved, also if it cannot be started', { timeout: PATIENT }, async ({
    api,
  }) => {
    const page = await consoles.open(api, { as: 'editor', path: '/pipelines/new?from=example' });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('not startable');
    const problem = { type: 'about:blank', title: 'x', status: 403, code: 'FORBIDDEN', errors: [], requestId: 'r-1' };
    await page.route('**/api/pipelines/*/run', (route) =>
      route.fulfill({ status: 403, json: { ...problem, detail: 'It cannot be started.' } }),
    );
    await page.getByRole('button', { name: 'Save and run' }).click();
    await page.getByText('The pipeline is saved, but its run did not start.').waitFor();
    await page.getByRole('alert').getByText('It cannot be started.').waitFor();
    const { items } = (await api.as('editor').get('/api/pipelines')).body;
    expect(items).toMatchObject([{ name: 'not startable' }]);
    expect(new URL(page.url()).pathname).toBe(`/api/console/pipelines/${items[0].id}/edit`);
    await expectGoodInAllForms(page, 'editor not started');
    await name.fill('startable');
    await page.unroute('**/api/pipelines/*/run');
    await page.getByRole('button', { name: 'Save and run' }).click();
    await page.waitForURL(/\/runs\//);
    expect((await api.as('editor').get('/api/pipelines')).body.items).toMatchObject([{ name: 'startable' }]);
  });

  it('is driven by keys alone: add, connect, follow edges, remove and undo', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(NUMBERS, sql('other', 'SELECT 1 AS n')), { name: 'keys' });
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}/edit` });
    await node(page, 'numbers').focus();
    await page.keyboard.press('a');
    const field = page.getByRole('dialog').getByLabel('Kind of step');
    await expect.poll(() => field.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.insertText('sql');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('clean_numbers');
    expect(new URL(page.url()).searchParams.get('step')).toBe('clean_numbers');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focused(page)).toBe('numbers');
    await page.keyboard.press('c');
    await page
      .getByRole('status')
      .getByText(/^Choose the step that waits for numbers/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('other');
    await page.keyboard.press('Enter');
    await page.getByText('other now waits for numbers.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Add a step between numbers and other' }).count()).toBe(1);
    // A circle is refused.
    await node(page, 'other').focus();
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByText('numbers comes before other, so it cannot wait for it.').waitFor();
    await page.keyboard.press('Delete');
    await expect.poll(() => nodes(page)).toEqual(['other', 'clean_numbers']);
    await expect.poll(() => focused(page)).toBe('other');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => nodes(page)).toEqual(['numbers', 'other', 'clean_numbers']);
    // Enter on the chosen step goes to its settings.
    await node(page, 'clean_numbers').focus();
    await page.keyboard.press('Enter');
    await settings(page, 'clean_numbers').waitFor();
    await page.keyboard.press('Enter');
    const inForm = () => page.evaluate('document.activeElement.closest("section")?.getAttribute("aria-label")');
    await expect.poll(inForm).toBe('Settings of clean_numbers');
    await page.keyboard.press('Control+s');
    await page.getByText('The pipeline is saved.').waitFor();
    const { dag } = await stored(api, id);
    expect(dag.steps.map((step: { id: string; dependsOn: string[] }) => [step.id, step.dependsOn ?? []])).toEqual([
      ['numbers', []],
      ['other', ['numbers']],
      ['clean_numbers', ['numbers']],
    ]);
  });

  it('checks while typing, previews rows as they are, and edits the same draft as YAML', { timeout: PATIENT }, async ({
    api,
  }) => {
    const dag = dagOf(
      NUMBERS,
      sql('twice', 'SELECT n * 2 AS n FROM numbers', ['numbers']),
      load('keep', 'twice', 'kept'),
    );
    const { id } = await givenPipeline(api, dag, { name: 'checked' });
    await runThatIs(api, await startedRun(api, id), 'succeeded');
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}/edit?step=twice` });
    await page.getByText('no issues').waitFor();
    const field = settings(page, 'twice').getByLabel('SQL');
    await field.fill('SELECT m * 2 AS n FROM numbers');
    await page.getByText('1 issue', { exact: true }).first().waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await node(page, 'twice').getByTitle('1 issue').waitFor();
    await expectGoodInAllForms(page, 'editor with an issue');
    await page.getByRole('button', { name: 'Preview twice' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /PREVIEW_FAILED|PIPELINE_DAG_INVALID/ })
      .waitFor();

    await field.fill('SELECT n * 20 AS n\nFROM numbers\nORDER BY n');
    await page.getByText('no issues').waitFor();
    await page.keyboard.press('Control+Enter');
    const grid = page.getByRole('region', { name: 'Preview of twice' });
    await expect.poll(() => grid.locator('tr[aria-rowindex="6"]').textContent()).toBe('80');
    const preview = await api
      .as('editor')
      .post(`/api/pipelines/${id}/transform-preview`, { stepId: 'twice', limit: 100 });
    // The stored step still makes other rows.
    expect(preview.body.rows.at(-1)).toEqual([8]);
    await page.getByText(/^5 rows in .* no source was read and nothing loaded/).waitFor();
    await expectGoodInAllForms(page, 'editor with a preview');
    for (const pane of ['Graph', 'Preview']) await page.getByRole('button', { name: pane, exact: true }).click();
    await expect.poll(() => nodes(page)).toEqual([]);
    await page.reload();
    await settings(page, 'twice').waitFor();
    expect(await nodes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Graph', exact: true }).click();

    await page.getByRole('tab', { name: 'YAML' }).click();
    const text = page.getByRole('textbox', { name: 'Definition' });
    await text.getByText('SELECT n * 20 AS n').waitFor();
    // The editor draws only the lines that are in sight.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await text.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+C');
    const written = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const write = async (next: string) => {
      await text.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(next);
    };
    await write(`${written}\n  bad: [unclosed`);
    await page.getByText(/^Line \d+, column \d+: .* The graph stays as it was\.$/).waitFor();
    await expectGoodInAllForms(page, 'editor as YAML');
    await page.getByRole('tab', { name: 'Steps' }).click();
    expect(await nodes(page)).toEqual(['numbers', 'twice', 'keep']);
    await page.getByRole('tab', { name: 'YAML' }).click();
    await text.waitFor();
    await write(written.replaceAll('twice', 'tenfold'));
    await page.getByRole('tab', { name: 'Steps' }).click();
    await expect.poll(() => nodes(page)).toEqual(['numbers', 'tenfold', 'keep']);
    await save(page);
    await page.getByText('The pipeline is saved.').waitFor();
    expect((await stored(api, id)).dag.steps[1]).toMatchObject({
      id: 'tenfold',
      config: { sql: 'SELECT n * 20 AS n\nFROM numbers\nORDER BY n' },
    });
  });

  it('knows sources, files, datasets and columns, and names steps after what they read', { timeout: PATIENT }, async ({
    api,
  }) => {
    const sourceId = await givenFiles(api, { 'in/Orders 2026.csv': 'id,amount\n1,2\n' });
    const { id } = await givenPipeline(api, dagOf(NUMBERS), { name: 'pickers' });
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}/edit` });
    await page.getByRole('button', { name: 'Add a step', exact: true }).click();
    await page.getByRole('button', { name: /^Files of an upload/ }).click();
    const form = settings(page, 'file');
    await form.getByLabel('Source').selectOption(sourceId);
    await form.getByLabel('Path').fill('in/');
    await expect
      .poll(() => form.locator('datalist option').evaluateAll((all) => all.map((each) => each.getAttribute('value'))))
      .toContain('in/Orders 2026.csv');
    await form.getByLabel('Path').fill('in/Orders 2026.csv');
    await form.getByLabel('Path').press('Tab');
    await node(page, 'Orders_2026').waitFor();
    await expectGoodInAllForms(page, 'editor of an extract');
    // A load that merges asks for its key.
    await page.getByRole('button', { name: 'Add a step after Orders_2026' }).click();
    await page.getByRole('button', { name: /^Into a dataset/ }).click();
    const target = settings(page, 'keep_Orders_2026');
    await target.getByLabel('Mode').selectOption('merge');
    await target.getByLabel('Merge key 1').fill('id');
    await expectGoodInAllForms(page, 'editor of a load');
    // Each kind has a form.
    for (const kind of ['Recipe', 'Code', 'Split', 'Into a table', 'Into files']) {
      await page.getByRole('button', { name: 'Add a step after Orders_2026' }).click();
      await page.getByRole('button', { name: new RegExp(`^${kind}`) }).click();
      await page.locator('.form-pane').getByText(kind).first().waitFor();
    }
    await page.getByRole('link', { name: /^shaped_Orders_2026/ }).click();
    await settings(page, 'shaped_Orders_2026').getByLabel('Condition').first().fill('amount > 1');
    await expectGoodInAllForms(page, 'editor of a recipe');
    for (const added of ['coded', 'split', 'write']) {
      const found = page.locator(`.graph-pane [data-node^="${added}_"]`);
      while ((await found.count()) > 0) {
        const before = await found.count();
        await found.first().click();
        await page.getByRole('button', { name: 'Remove', exact: true }).click();
        await expect.poll(() => found.count()).toBe(before - 1);
      }
    }
    await page.getByRole('button', { name: 'Parameters and blocks' }).click();
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await page.getByRole('group', { name: 'Parameter 1' }).getByLabel('Name').fill('above');
    await page.getByRole('group', { name: 'Parameter 1' }).getByLabel('Type').selectOption('number');
    await page.getByText('no issues').waitFor();
    await expectGoodInAllForms(page, 'editor of parameters');
    await save(page);
    await page.getByText('The pipeline is saved.').waitFor();
    const { dag } = await stored(api, id);
    expect(dag.parameters).toMatchObject([{ name: 'above', type: 'number' }]);
    expect(dag.steps.slice(1)).toMatchObject([
      { id: 'Orders_2026', config: { sourceId, object: { path: 'in/Orders 2026.csv' } } },
      { id: 'keep_Orders_2026', config: { mode: 'merge', mergeKey: ['id'], target: { name: 'Orders_2026' } } },
      { id: 'shaped_Orders_2026', config: { ops: [{ op: 'filter', condition: 'amount > 1' }] } },
    ]);
  });

  it('turns a description into operations, which the person takes or not', { timeout: PATIENT }, async ({ api }) => {
    const ops = [{ op: 'filter', condition: 'n > 2' }];
    const { key } = await scripted({
      text: JSON.stringify({ ops, explanation: 'Keeps large numbers.', confidence: 0.9 }),
    });
    const shaped = {
      id: 'shaped',
      type: 'transform_sql',
      dependsOn: ['numbers'],
      config: { ops: [{ op: 'limit', count: 3 }] },
    };
    const { id } = await givenPipeline(api, dagOf(NUMBERS, shaped), { name: 'described' });
    await runThatIs(api, await startedRun(api, id), 'succeeded');
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}/edit?step=shaped` });
    const form = settings(page, 'shaped');
    await form.getByText('Describe it in words').click();
    await form.getByLabel('What to do with the rows').fill(`only large numbers ${key}`);
    await form.getByRole('button', { name: 'Suggest operations' }).click();
    await form.getByText('Keeps large numbers.').waitFor();
    await expectGoodInAllForms(page, 'editor with a suggestion');
    await form.getByRole('button', { name: 'Use these operations' }).click();
    await save(page);
    await page.getByText('The pipeline is saved.').waitFor();
    expect((await stored(api, id)).dag.steps[1].config.ops).toMatchObject(ops);
  });

  it('keeps drafts, and loses nothing of two people', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(NUMBERS, sql('second', 'SELECT 2 AS n')), { name: 'shared' });
    const path = `/pipelines/${id}/edit`;
    const [one, other] = await Promise.all([
      consoles.open(api, { as: 'editor', path: `${path}?step=numbers` }),
      consoles.open(api, { as: 'owner', path: `${path}?step=second` }),
    ]);
    const fill = (page: Page, step: string, text: string) => settings(page, step).getByLabel('SQL').fill(text);
    await fill(other, 'second', 'SELECT 22 AS n');
    await fill(one, 'numbers', 'SELECT 11 AS n');
    await one.getByText('not saved yet').waitFor();
    await one.goto(`${api.endpoint}/api/console/pipelines/${id}`);
    await one.getByRole('link', { name: 'Continue your draft' }).click();
    await one.getByText('You have an unsaved draft.').waitFor();
    await node(one, 'numbers').click();
    expect(await settings(one, 'numbers').getByLabel('SQL').inputValue()).toBe('SELECT 11 AS n');
    await expectGoodInAllForms(one, 'editor with a draft');
    await save(one);
    await one.getByText('The pipeline is saved.').waitFor();

    // They have changed different steps.
    await save(other);
    await other.getByText(/Their changes are now in your draft; save again\.$/).waitFor();
    await save(other);
    await other.getByText('The pipeline is saved.').waitFor();
    expect((await stored(api, id)).dag.steps.map(({ config }: { config: { sql: string } }) => config.sql)).toEqual([
      'SELECT 11 AS n',
      'SELECT 22 AS n',
    ]);

    // Now both change the same step.
    await fill(one, 'numbers', 'SELECT 111 AS n');
    await node(other, 'numbers').click();
    await fill(other, 'numbers', 'SELECT 1111 AS n');
    await save(other);
    await expect.poll(async () => (await stored(api, id)).dag.steps[0].config.sql).toBe('SELECT 1111 AS n');
    await save(one);
    const changed = one.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.getByText('SELECT 1111 AS n').waitFor();
    await changed.getByText('SELECT 111 AS n').waitFor();
    await expectGoodInAllForms(one, 'editor with two versions');
    await changed.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => settings(one, 'numbers').getByLabel('SQL').inputValue()).toBe('SELECT 1111 AS n');
    // The other version is not gone.
    await one.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => settings(one, 'numbers').getByLabel('SQL').inputValue()).toBe('SELECT 111 AS n');
    await save(one);
    await expect.poll(async () => (await stored(api, id)).dag.steps[0].config.sql).toBe('SELECT 111 AS n');
  });

  it('duplicates, says what failed at each call, and is not for viewers', { timeout: PATIENT }, async ({ api }) => {
    const dag = { ...dagOf(NUMBERS), trigger: { kind: 'webhook' } };
    const { id } = await givenPipeline(api, dag, { name: 'origin' });
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/new?from=${id}` });
    await page.getByText('A copy, which starts by hand only.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('origin');
    await save(page);
    await page.getByRole('alert').filter({ hasText: 'PIPELINE_NAME_TAKEN' }).waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('a copy');
    const release = Promise.withResolvers<void>();
    await page.route('**/api/pipelines', async (route) => {
      await release.promise;
      await route.continue();
    });
    await save(page);
    // What is typed while it is saved is a draft of the copy.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('a copy of it');
    release.resolve();
    await page.getByRole('heading', { level: 1, name: 'Edit a copy' }).waitFor();
    await page.unroute('**/api/pipelines');
    await page.getByText('You have an unsaved draft.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('a copy of it');
    const copy = new URL(page.url()).pathname.split('/').at(-2)!;
    const copied = await stored(api, copy);
    expect(copied).toMatchObject({ name: 'a copy', dag: dagOf(NUMBERS) });
    expect([copied.dag.trigger, copied.schedule]).toEqual([undefined, null]);

    const problem = { type: 'about:blank', title: 'x', status: 400, code: 'BROKEN', errors: [], requestId: 'r' };
    const broken = (sign: string) => ({ status: 400, json: { ...problem, detail: sign } });
    await page.route(/\/validate$/, (route) => route.fulfill(broken('No check.')));
    await node(page, 'numbers').click();
    await settings(page, 'numbers').getByLabel('SQL').fill('SELECT 7 AS n');
    await page.getByText('It could not be checked: No check.').waitFor();
    await page.unroute(/\/validate$/);
    await page.route(`**/api/pipelines/${copy}`, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill(broken('No save.')) : route.continue(),
    );
    await save(page);
    await page.getByRole('alert').filter({ hasText: 'No save.' }).waitFor();
    await page.unroute(`**/api/pipelines/${copy}`);
    await page.getByRole('button', { name: 'Preview numbers' }).click();
    await page.getByRole('alert').filter({ hasText: 'NO_RUN_DATA' }).waitFor();
    await expectGoodInAllForms(page, 'editor with failures');
    await save(page);
    // What was said about the first save may still be shown.
    await expect.poll(async () => (await stored(api, copy)).dag.steps[0].config.sql).toBe('SELECT 7 AS n');
    expect((await stored(api, copy)).name).toBe('a copy of it');
    await page.getByText('saved', { exact: true }).waitFor();

    await page.goto(`${api.endpoint}/api/console/pipelines/00000000-0000-7000-8000-000000000000/edit`);
    await page.getByText('PIPELINE_NOT_FOUND').waitFor();
    const viewer = await consoles.open(api, { as: 'viewer', path: `/pipelines/${id}/edit` });
    await viewer.getByRole('heading', { name: 'You may not edit this pipeline' }).waitFor();
    await expectGoodInAllForms(viewer, 'editor of a viewer');
  });
});
