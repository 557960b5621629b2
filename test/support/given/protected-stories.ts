import type { Api } from '../api.ts';
import { givenProtected, givenReader, setAttributes } from './protected.ts';
import { doc, texts } from './stories.ts';

/** A text beside a table of a protected dataset. The editor of the workspace has the rights of the region "eu". */
export async function givenProtectedText(api: Api, words = 'It was 40') {
  const { dataset } = await givenProtected(api);
  const { id } = (await api.as('editor').get('/api/auth/me')).body.user;
  await setAttributes(api, id, { region: ['eu'] });
  const chartSpec = { version: 1, query: { source: { kind: 'dataset', id: dataset.id } }, mark: { type: 'table' } };
  const block = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
  const reader = async (region: string, role = 'viewer') =>
    givenReader(api, { role, attributes: { region: [region] } });
  return { dataset, block, content: doc(...texts(['a', words]).content, block), reader };
}

export const HIDDEN = { title: null, content: null, hidden: { reason: 'DATA_ACCESS' } };
