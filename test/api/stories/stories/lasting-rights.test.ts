import { describe, expect } from 'vitest';
import { rightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { isHidden, storyStore } from '../../../../shared/domains/stories/stories/index.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { chartBlock, doc, type GivenStory, givenStory, paragraph } from '../../../support/given/stories.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A restricted text of an author beside protected rows, with readers whom the policy gives the same and other rows. */
async function givenTimed(api: Api, filterExpression: string) {
  const dataset = await givenDataset(api, {
    name: 'people',
    sql: "SELECT * FROM (VALUES ('eu', DATE '2024-01-05'), ('us', DATE '2024-01-06')) AS t(region, day)",
  });
  const model = await givenModel(api, { name: 'Staff' });
  const table = await givenTable(api, model.path, 'people');
  await givenField(api, table.path, 'region');
  await givenField(api, table.path, 'day', { dataType: 'date' });
  await givenPolicy(api, model.path, { tableId: table.id, filterExpression });
  const [author, peer, other] = [
    await givenReader(api, { attributes: { region: 'eu' } }),
    await givenReader(api, { role: 'editor', attributes: { region: 'eu' } }),
    await givenReader(api, { role: 'editor', attributes: { region: 'us' } }),
  ];
  const block = chartBlock('rows', { source: { kind: 'dataset', id: dataset.id } });
  const story = await givenStory(api, doc(paragraph('a', 'Empty'), block));
  const section = `${story.path}/sections/${story.sections[0]}`;
  const edited = await author.caller.patch(section, { content: doc(paragraph('a', 'It was 40'), block) });
  expect(edited.status, JSON.stringify(edited.body)).toBe(200);
  expect((await author.caller.put(`${section}/visibility`, { visibility: 'data_access' })).status).toBe(200);
  return { story, author, peer, other };
}

/** Whether the text is hidden from the person after some days. */
async function hiddenAfter(api: Api, { id }: GivenStory, { userId }: { userId: string }, days: number) {
  const { table, workspaceId, companyId } = api;
  const now = () => new Date(Date.now() + days * DAY_MS);
  const principal = (await memberPrincipal(table, { workspaceId, companyId, userId }))!;
  const { sections } = (await storyStore(table).read({ workspaceId, storyId: id }))!;
  return isHidden({ charts: { rights: rightsDeps(table, now) } }, principal, sections[0]!);
}

describe('a text beside rows whose policy depends on the day', () => {
  it('stays visible for days to readers with the rights of its author, and hidden from others', async ({ api }) => {
    const { story, peer, other } = await givenTimed(api, '[region] IN user.attr("region") AND [day] < TODAY()');
    expect((await peer.caller.get(story.path)).body.sections[0]).toMatchObject({ title: 'Section 1' });
    for (const days of [0, 1, 40]) {
      expect(await hiddenAfter(api, story, peer, days), `after ${days} days`).toBe(false);
      expect(await hiddenAfter(api, story, other, days), `after ${days} days`).toBe(true);
    }
  });

  it('is not shown longer than a policy that the time alone decides has shown the rows', async ({ api }) => {
    const ends = '(YEAR(TODAY()) < 2027 OR [region] = "nowhere")';
    const { story, peer } = await givenTimed(api, `[region] IN user.attr("region") AND ${ends}`);
    expect(await hiddenAfter(api, story, peer, 0)).toBe(false);
    expect(await hiddenAfter(api, story, peer, 400)).toBe(true);
  });
});
