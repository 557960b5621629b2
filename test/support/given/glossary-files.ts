import type { Caller } from '../api.ts';

export const IMPORT = '/api/catalog/import';
export const EXPORT = '/api/catalog/export';

export const importCsv = (caller: Caller, text: string, query = '') =>
  caller.send('POST', `${IMPORT}${query}`, { text, headers: { 'content-type': 'text/csv' } });

export async function exportCsv(caller: Caller): Promise<string> {
  const { status, bytes } = await caller.get(EXPORT, { headers: { accept: 'text/csv' } });
  if (status !== 200) throw new Error(bytes.toString());
  return bytes.toString();
}
