import type { CallOptions, List } from '../../typescript/src/index.ts';
import { CommandError, EXIT } from './exit-codes.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Named {
  id: string;
  name?: string;
  /** The name of a story. */
  title?: string;
  /** Of a kind of object that can be a file. */
  key?: string | null;
}

interface Listed {
  list(query: { search?: string; limit?: number }, options?: CallOptions): List<{ items: Named[] }>;
}

/** The id of what a user has named: an id as it is, otherwise the one with this key, or the only one with this name. */
export async function idOf(
  resource: unknown,
  noun: string,
  wanted: string,
  options: CallOptions = {},
): Promise<string> {
  if (ID.test(wanted)) return wanted;
  const found: Named[] = [];
  for await (const item of (resource as Listed).list({ limit: 100 }, options)) {
    const { id, name, title, key } = item as Named;
    if (key === wanted) return id;
    if ((name ?? title) === wanted) found.push({ id });
  }
  if (found.length === 1) return found[0]!.id;
  if (found.length === 0) throw new CommandError(EXIT.failed, `There is no ${noun} named "${wanted}".`, 'NOT_FOUND');
  const ids = found.map(({ id }) => id);
  const message = `${found.length} of these are named "${wanted}". Name the ${noun} by its id:\n${ids.map((id) => `  ${id}`).join('\n')}`;
  throw new CommandError(EXIT.usage, message, 'NAME_AMBIGUOUS', { ids });
}
