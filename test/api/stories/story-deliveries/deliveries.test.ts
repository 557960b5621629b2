import { describe, expect } from 'vitest';
import { STORIES, scheduleRepository } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { it } from '../../../support/api.ts';
import { endDue } from '../../../support/given/clean-ups.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { mailTo } from '../../../support/given/mails.ts';
import {
  expectDeleted,
  expectHidden,
  expectLimited,
  expectNameTaken,
  leaveByLink,
} from '../../../support/given/managed-schedules.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { allowDomains, atInstant, dayBefore, finishedRun, givenSchedule } from '../../../support/given/schedules.ts';
import { published } from '../../../support/given/snapshots.ts';
import { chartBlock, doc, givenGrantee, givenStory, paragraph } from '../../../support/given/stories.ts';
import { givenReceiver } from '../../../support/given/targets.ts';
import { pdfText } from '../../../support/read-files.ts';

const OUTSIDE = 'partner.example.org';
const DAY_MS = 24 * 60 * 60 * 1000;

describe('a delivery schedule of a story', () => {
  it('sends each member what they may see of the published version, and ends for those who unsubscribe', async ({
    api,
  }) => {
    const { dataset } = await givenProtected(api);
    const people = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'name' }] };
    const value = { source: { blockId: 'people', measure: 'name' }, id: 'first', written: 'Zoe' };
    const first = {
      type: 'paragraph',
      attrs: { id: 'first' },
      content: [
        { type: 'text', text: 'Named first: ' },
        { type: 'value', attrs: value },
      ],
    };
    const story = await givenStory(
      api,
      doc(paragraph('intro', 'Who works here.'), chartBlock('people', people), first),
      doc(paragraph('kept', 'Only some read this.'), chartBlock('more', people)),
    );
    const kept = `${story.path}/sections/${story.sections[1]}`;
    expect((await api.as('owner').put(`${kept}/visibility`, { visibility: 'data_access' })).status).toBe(200);
    const [eu, us] = await Promise.all([
      givenReader(api, { role: 'viewer', attributes: { region: ['eu'] } }),
      givenReader(api, { role: 'viewer', attributes: { region: ['us'] } }),
    ]);
    await allowDomains(api, [OUTSIDE]);
    const given = { name: 'Daily', cronExpression: '0 8 * * *' };
    const outside = await api.as('editor').post(`${story.path}/schedules`, { ...given, recipients: [`a@${OUTSIDE}`] });
    expect(outside).toMatchObject({ status: 400, body: { errors: [{ code: 'ROW_RIGHTS' }, { code: 'ROW_RIGHTS' }] } });

    const { id, path: place } = await givenSchedule(api, story.path, {
      ...{ ...given, format: 'pdf', condition: 'changed', recipients: [eu.email, us.email] },
    });
    await atInstant(api, 'story', id, dayBefore(4));
    expect(await finishedRun(api, place)).toMatchObject({ status: 'skipped', reason: 'STORY_NOT_PUBLISHED' });
    expect((await api.as('editor').get(`${story.path}/schedules`)).body.items).toMatchObject([
      { status: 'stopped', stopReason: 'STORY_NOT_PUBLISHED' },
    ]);
    await published(api.as('owner'), story);

    await atInstant(api, 'story', id, dayBefore(3));
    await atInstant(api, 'story', id, dayBefore(3));
    const run = await finishedRun(api, place);
    expect(run).toMatchObject({ status: 'sent', scheduledFor: dayBefore(3), recipientCount: 2 });
    for (const each of run.perRecipient)
      expect(each).toMatchObject({ status: 'sent', cardCount: 1, failedCardCount: 0, error: null });
    const [toEu, toUs] = [await mailTo(api, eu.email), await mailTo(api, us.email)];
    for (const words of ['Weekly', 'Who works here.', 'Ann', 'Bob', 'Named first: '])
      expect(toEu.text).toContain(words);
    for (const mail of [toEu, toUs])
      for (const words of ['Only some', 'Section 2', 'Zoe']) expect(mail.text + mail.html).not.toContain(words);
    expect(toEu.text + toEu.html).not.toContain(SECRET_ROW);
    expect(toUs.text).toContain(SECRET_ROW);
    expect(toUs.text).not.toContain('Ann');
    expect(toUs.html).toContain(`/d/stories/${story.id}`);
    const [file] = toEu.attachments!;
    expect(file!.fileName).toBe('Weekly.pdf');

    await atInstant(api, 'story', id, dayBefore(2));
    const unchanged = await finishedRun(api, place);
    for (const each of unchanged.perRecipient) expect(each).toMatchObject({ status: 'skipped', reason: 'UNCHANGED' });
    const section = `${story.path}/sections/${story.sections[0]}`;
    const content = doc(paragraph('intro', 'Who works where.'), chartBlock('people', people));
    expect((await api.as('editor').patch(section, { content })).status).toBe(200);
    await published(api.as('owner'), story);
    await leaveByLink(api, toUs, { noun: 'story', userId: us.userId, otherId: eu.userId });
    await atInstant(api, 'story', id, dayBefore(1));
    expect((await finishedRun(api, place)).perRecipient).toMatchObject([{ recipient: eu.email, status: 'sent' }]);

    await api.as('editor').post(`${story.path}/archive`, { archived: true });
    await atInstant(api, 'story', id, dayBefore(0));
    expect(await finishedRun(api, place)).toMatchObject({ status: 'skipped', reason: 'STORY_ARCHIVED' });
    const stopped = await api.as('editor').post(`${place}/run`);
    expect(stopped).toMatchObject({ status: 409, body: { code: 'STORY_SCHEDULE_STOPPED' } });

    await api.as('editor').post(`${story.path}/archive`, { archived: false });
    await api.as('editor').delete(story.path);
    await endDue(api, new Date(Date.now() + 31 * DAY_MS));
    expect(await scheduleRepository(api.table, STORIES).ofObject(api.workspaceId, story.id)).toEqual([]);
  });

  it('sends what everyone may see to targets and addresses outside', async ({ api }) => {
    const receiver = await givenReceiver(api);
    const { id: dataset } = await givenDataset(api, { name: 'stock', sql: `SELECT 'apples' AS k, 1250 AS n` });
    const query = { source: { kind: 'dataset', id: dataset }, dimensions: [{ column: 'k' }] };
    const story = await givenStory(api, doc(paragraph('intro', 'All is <well>.'), chartBlock('stock', query)));
    await published(api.as('owner'), story);
    const { path: place } = await givenSchedule(api, story.path, {
      ...{ format: 'pdf', recipients: [] },
      targets: [{ type: 'webhook', url: receiver.url }],
    });
    await api.as('editor').post(`${place}/run`);
    const run = await finishedRun(api, place);
    expect(run.perTarget).toMatchObject([{ status: 'sent', attempts: 1, error: null }]);
    const [request] = await receiver.waitFor(1);
    const body = JSON.parse(request!.body);
    expect(body).toMatchObject({
      object: { kind: 'story', id: story.id },
      cards: [{ title: 'Section 1' }, { text: 'All is <well>.' }, { text: expect.stringContaining('apples') }],
      file: { contentType: 'application/pdf', bytes: run.perTarget[0].bytes },
    });
    const pdf = await pdfText(Buffer.from(await (await fetch(body.file.downloadUrl)).arrayBuffer()));
    for (const words of ['All is <well>.', 'apples']) expect(pdf).toContain(words);
    await allowDomains(api, ['127.0.0.1', '169.254.169.254']);
    const targets = [{ type: 'slack', url: 'http://169.254.169.254/latest' }];
    const blocked = { name: 'Blocked', cronExpression: '@daily', targets };
    for (const reply of [
      await api.as('editor').post(`${story.path}/schedules`, blocked),
      await api.as('editor').put(place, { targets }),
    ])
      expect(reply).toMatchObject({ status: 400, body: { code: 'ADDRESS_BLOCKED' } });
  });

  it('is managed by the editors of the story', async ({ api }) => {
    const story = await givenStory(api, doc(paragraph('intro', 'Nothing yet.')));
    await published(api.as('owner'), story);
    const schedules = `${story.path}/schedules`;
    const me = (await api.as('editor').get('/api/auth/me')).body.user;
    const body = { name: 'Weekly', cronExpression: '@weekly' };
    const { path: place, ...made } = await givenSchedule(api, story.path, body);
    expect(made).toMatchObject({
      ...{ ...body, storyId: story.id, format: null, recipients: [me.email], status: 'active', revision: 1 },
    });
    expect(made).not.toHaveProperty('filters');
    const wrong = await api.as('editor').post(schedules, {
      ...{ name: 'x', cronExpression: '*/5 * * * *', recipients: ['someone@else.example'] },
    });
    expect(wrong.body.errors).toMatchObject([
      { pointer: '/cronExpression', code: 'TOO_FREQUENT' },
      { pointer: '/recipients/0', code: 'NOT_A_MEMBER' },
    ]);
    for (const unknown of [{ format: 'xlsx' }, { filters: [] }])
      expect(await api.as('editor').post(schedules, { ...body, name: 'x', ...unknown })).toMatchObject({ status: 400 });
    const other = await givenSchedule(api, story.path, { ...body, name: 'Daily' });
    const managed = { id: made.id, path: place, list: schedules, body };
    await expectNameTaken(api, managed, { other: 'Daily', code: 'STORY_SCHEDULE_NAME_TAKEN' });
    const stale = { headers: { 'if-match': '"9"' } };
    expect(await api.as('editor').put(place, { name: 'x' }, stale)).toMatchObject({ status: 412 });
    expect(await api.as('editor').delete(place, stale)).toMatchObject({ status: 412 });
    expect(await api.as('editor').put(place, { name: 'Each week' })).toMatchObject({
      status: 200,
      body: { name: 'Each week', revision: 2 },
    });
    for (const _one of [1, 2, 3, 4, 5]) expect((await api.as('editor').post(`${place}/run`)).status).toBe(202);
    const often = await api.as('editor').post(`${place}/run`);
    expect(often).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    const contributor = await givenGrantee(api, story, 'contributor');
    const editor = await givenGrantee(api, story, 'editor');
    expect((await contributor.caller.get(schedules)).status).toBe(403);
    expect((await editor.caller.get(schedules)).status).toBe(200);
    expect((await api.as('viewer').get(schedules)).status).toBe(403);

    expect(await api.as('editor').delete(other.path)).toMatchObject({ status: 200, body: { storyId: story.id } });
    expect(
      await Array.fromAsync(itemsBelow(api.table, workspaceKey(api.workspaceId, 'CLEAN-UP', 'delivery#'))),
    ).toMatchObject([{ ended: { kind: 'delivery', area: STORIES.area, deliveryId: other.id } }]);
    await expectDeleted(api, other.path, 'STORY_SCHEDULE_NOT_FOUND');
    await expectHidden(api, managed, 'STORY_NOT_FOUND');
    await expectLimited(api, STORIES, managed, 'TOO_MANY_STORY_SCHEDULES');
  });
});
