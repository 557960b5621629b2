import { describe, expect } from 'vitest';
import { CLEAN_UPS } from '../../../../functions/platform/workers/minute-tick/clean-ups.ts';
import { type CleanUp, cleanUpItemAt } from '../../../../shared/platform/storage/clean-ups.ts';
import { type Key, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, it } from '../../../support/api.ts';
import { posted } from '../../../support/given/model.ts';
import { clockOf } from '../../../support/given/notifications.ts';

const DELETED: Readonly<Record<string, { path: string; body: object }>> = {
  dashboard: { path: '/api/dashboards', body: { name: 'Sales' } },
  report: { path: '/api/reports', body: { name: 'Sales', layout: { blocks: [] } } },
  story: { path: '/api/stories', body: { title: 'Sales' } },
  term: { path: '/api/catalog/terms', body: { name: 'Sales', definition: 'What customers pay.' } },
};

async function cleanUpsOf(api: Api, kind: string, id: string): Promise<Key[]> {
  const items = await Array.fromAsync(itemsBelow(api.table, workspaceKey(api.workspaceId, 'CLEAN-UP', `${kind}#`)));
  return items.map(({ pk, sk }) => ({ pk, sk }) as Key).filter(({ sk }) => sk.endsWith(id));
}

describe('what is deleted again while the clean-up of its first deletion ends', () => {
  it.for(Object.entries(DELETED))('is removed after its own 30 days: a %s', async ([kind, { path, body }], { api }) => {
    const editor = api.as('editor');
    const { id } = await posted(api, path, body);
    const remove = async () => expect((await editor.delete(`${path}/${id}`)).status).toBeLessThan(300);
    const restore = () => editor.post(`${path}/${id}/restore`);
    await remove();
    expect((await restore()).status).toBe(200);
    const [item] = await cleanUpsOf(api, kind, id);
    // What the clean-up finds is restored, and nothing is left to do; then comes the deletion.
    const cleanUps = CLEAN_UPS.map(
      (each): CleanUp => ({
        ...each,
        async remove(...parameters) {
          const isDone = await each.remove(...parameters);
          expect(isDone).toBe(true);
          await remove();
          return isDone;
        },
      }),
    ).filter((each) => each.kind === kind);
    await cleanUpItemAt(api.table, cleanUps.slice(0, 1), item!, () => false);
    expect(await cleanUpsOf(api, kind, id)).toEqual([item]);

    const clock = clockOf(api);
    clock.pass(31 * 24 * 60 * 60);
    await cleanUpItemAt(clock.table, CLEAN_UPS, item!, () => false);
    expect(await cleanUpsOf(api, kind, id)).toEqual([]);
    expect((await restore()).status).toBe(404);
  });
});
