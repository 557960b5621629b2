import { api, type Types } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import { boundValue, fieldOf } from './parameters.ts';
import { parametersOf } from './statements.ts';
import type { ParameterField, SavedAs, Tab, Tabs } from './tabs.ts';

export type SavedQuery = Types.SavedQuery;

export const savedAs = ({ id, revision, name, sql, sourceId }: SavedQuery): SavedAs => ({
  id,
  revision,
  name,
  sql,
  sourceId,
});

/** The parameters of a statement as a saved query declares them, with the typed values as their defaults. */
const declared = (sql: string, fields: Tab['params']): Types.SavedQueryParameterInput[] =>
  parametersOf(sql).map((name) => {
    const field = fieldOf(fields, name);
    return {
      name,
      type: field.type as Types.SavedQueryParameterInput['type'],
      default: boundValue(field),
      required: false,
    };
  });

export async function createSaved(name: string, sql: string, { sourceId, params }: Tab): Promise<SavedQuery> {
  const query = await api.savedQueries.create({
    name,
    sql,
    params: declared(sql, params),
    ...(sourceId !== null && { sourceId }),
  });
  await refreshQueries(['saved-queries']);
  return query;
}

export async function updateSaved(
  { id }: SavedAs,
  { name, sql, tab, ifMatch }: { name: string; sql: string; tab: Tab; ifMatch: number },
): Promise<SavedQuery> {
  const body = { name, sql, params: declared(sql, tab.params), sourceId: tab.sourceId };
  const query = await api.savedQueries.update(id, body, { ifMatch });
  await refreshQueries(['saved-queries']);
  return query;
}

/** The fields of its parameters, filled with their defaults. */
export const fieldsOf = ({ params }: Pick<SavedQuery, 'params'>): Record<string, ParameterField> =>
  Object.fromEntries(
    params.map(({ name, type, default: value = null }) => [name, { type, text: value === null ? '' : String(value) }]),
  );

/** Shows the tab of a saved query, or opens one. */
export function openSaved(tabs: Tabs, query: SavedQuery): void {
  const known = tabs.all.peek().find(({ saved }) => saved?.id === query.id);
  if (known) {
    tabs.show(known.id);
    return;
  }
  const { name, sql, sourceId } = query;
  const given = { name, sql, sourceId, params: fieldsOf(query), saved: savedAs(query) };
  const { current } = tabs;
  const isUnused = tabs.textOf(current.id).trim() === '' && !current.saved && !current.name;
  tabs.add(given);
  if (isUnused) tabs.close(current.id);
}

/** The saved query of what was run: that of the tab, which is saved again if it has changed, or else a new one. */
export async function savedIdOf(tabs: Tabs, written: string, name: string): Promise<string> {
  const tab = tabs.current;
  const isWhole = tabs.textOf(tab.id).trim().replace(/;$/, '').trim() === written.trim();
  if (!isWhole || !tab.saved) {
    const query = await createSaved(name, written, tab);
    if (isWhole) tabs.change(tab.id, { name, saved: { ...savedAs(query), sql: tabs.textOf(tab.id) } });
    return query.id;
  }
  if (tabs.changed.peek().has(tab.id)) {
    const sql = tabs.textOf(tab.id);
    const query = await updateSaved(tab.saved, { name, sql, tab, ifMatch: tab.saved.revision });
    tabs.change(tab.id, { name, saved: savedAs(query) });
  }
  return tab.saved.id;
}
