import { Untranslatable } from '../report.ts';
import { type Members, membersOf, present, textOf } from '../values.ts';

interface Context {
  /** The text of a snippet, if it is in the files. */
  snippet(name: string): string | undefined;
  /** The statement of another question. */
  question(id: string): string;
}

const TYPES: Readonly<Record<string, string>> = { text: 'string', number: 'double', date: 'date', boolean: 'boolean' };

/** A statement with parameters in place of the tags of Metabase. */
export function nativeStatement(
  { sql, tags }: { sql: string; tags: Members },
  context: Context,
  depth = 0,
): { sql: string; params: Members[] } {
  if (depth > 10) throw new Untranslatable('Its snippets refer to each other in a circle.');
  if (sql.trim() === '') throw new Untranslatable('It has no SQL.');
  if (/\[\[[\s\S]*\]\]/.test(sql)) throw new Untranslatable('Optional parts in [[…]] have no counterpart.');
  const params = new Map<string, Members>();
  const text = sql.replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, name: string) => {
    if (name.startsWith('snippet:')) {
      const content = context.snippet(name.slice('snippet:'.length).trim());
      if (content === undefined) throw new Untranslatable(`The ${name} is not in the files.`);
      return nativeStatement({ sql: content, tags: {} }, context, depth + 1).sql;
    }
    if (name.startsWith('#')) {
      const id = textOf(membersOf(tags[name])['card-id']) ?? name.slice(1);
      return `(${context.question(id)})`;
    }
    const tag = membersOf(tags[name]);
    const type = TYPES[textOf(tag.type) ?? 'text'];
    if (!type) throw new Untranslatable(`The field filter {{${name}}} has no counterpart.`);
    if (!/^[A-Za-z_]\w{0,62}$/.test(name)) throw new Untranslatable(`"${name}" cannot be the name of a parameter.`);
    params.set(name, paramOf(name, type, tag));
    return `$${name}`;
  });
  return { sql: text, params: [...params.values()] };
}

function paramOf(name: string, type: string, tag: Members): Members {
  const value = Array.isArray(tag.default) ? tag.default[0] : tag.default;
  const initial = value === null ? undefined : type === 'double' && value !== undefined ? Number(value) : value;
  return present({
    name,
    type,
    default: initial,
    required: tag.required === true && initial === undefined ? true : undefined,
  });
}
