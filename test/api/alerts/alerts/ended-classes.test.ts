import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, feedOf, instant } from '../../../support/given/alert-work.ts';
import { givenAlert } from '../../../support/given/alerts.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { type GivenReader, givenProtected, givenReader, setAttributes } from '../../../support/given/protected.ts';

/** An alert on a card over protected rows, with an owner and viewers of other regions. */
async function givenClasses(api: Api, regions: readonly string[]) {
  const { dataset } = await givenProtected(api);
  const source = { kind: 'dataset', id: dataset.id };
  const board = await givenCards(api, [
    card('staff', chart({ source, measures: [{ column: 'id', aggregation: 'count', label: 'count' }] })),
  ]);
  expect((await api.as('editor').post(`${board.path}/publish`, {})).status).toBe(200);
  const viewers: GivenReader[] = [];
  for (const region of regions) viewers.push(await givenReader(api, { role: 'viewer', attributes: { region } }));
  const owner = await givenReader(api, { role: 'editor', attributes: { region: ['eu', 'us', 'fr'] } });
  const condition = {
    ...{ kind: 'field', source: { kind: 'card', id: 'staff', dashboardId: board.id } },
    ...{ column: 'count', reduce: 'max', operator: 'gt', threshold: 1 },
  };
  const channels = { inApp: { userIds: viewers.map(({ userId }) => userId) } };
  const alert = await givenAlert(api, { condition, channels, scheduleCron: '@yearly' }, owner.caller);
  return { alert, board, viewers };
}

const DAY = 24 * 60;

describe('A class of row rights that no one is of any more', () => {
  it('keeps its state for a week, in which it goes on, and loses it afterwards', async ({ api }) => {
    const { alert, viewers } = await givenClasses(api, ['eu', 'us']);
    const viewer = viewers[1]!;
    const { deps, evaluateAt } = await alertWorker(api);
    const states = async () =>
      (await deps.states.list({ workspaceId: api.workspaceId, alertId: alert.id })).map(
        ({ endedAt = null }) => endedAt,
      );
    await evaluateAt([alert], -30 * DAY);
    expect(await states()).toEqual([null, null, null]);
    expect(await feedOf(viewer.caller, alert)).toEqual(['fire 2']);

    await setAttributes(api, viewer.userId, { region: 'eu' });
    await evaluateAt([alert], -29 * DAY);
    await evaluateAt([alert], -23 * DAY);
    expect((await states()).sort()).toEqual([instant(-29 * DAY), null, null]);
    await setAttributes(api, viewer.userId, { region: 'us' });
    await evaluateAt([alert], -21 * DAY);
    expect(await states()).toEqual([null, null, null]);
    expect(await feedOf(viewer.caller, alert)).toEqual(['fire 2']);

    await setAttributes(api, viewer.userId, { region: 'eu' });
    await evaluateAt([alert], -20 * DAY);
    await evaluateAt([alert], -12 * DAY);
    expect(await states()).toEqual([null, null]);
  });
});

it('a source that the owner cannot see is evaluated in several parts if there is no time left', async ({ api }) => {
  const { alert, board } = await givenClasses(api, ['eu', 'us']);
  const { deps, counted, work, evaluateAt } = await alertWorker(api);
  await evaluateAt([alert], 1);
  expect((await api.as('editor').delete(board.path)).status).toBeLessThan(300);
  let written = 0;
  const { write } = deps.states;
  const counting: typeof write = (...given) => {
    written += 1;
    return write(...given);
  };
  Object.assign(deps, { states: { ...deps.states, write: counting }, isOver: () => written > 0 });
  await evaluateAt([alert], 2);
  const parts = [written];
  for (let next = counted.sent.shift(); next; next = counted.sent.shift()) {
    written = 0;
    await work(next);
    parts.push(written);
  }
  expect(parts.filter((part) => part > 0)).toEqual([1, 1, 1]);
  const states = await deps.states.list({ workspaceId: api.workspaceId, alertId: alert.id });
  expect(states.map(({ evaluatedAt }) => evaluatedAt)).toEqual([instant(2), instant(2), instant(2)]);
});
