import type { ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import type { Members, PartKind, SymbolKinds, SymbolSource } from '../kinds/kind.ts';
import { idsByName, type Names, unknownKey, unknownPart } from './names.ts';

/** What stands in a file for the id of an object, or of a part of a model: `@model/sales/field/orders.region`. */
const SYMBOL = /^@([a-z-]+)\/([a-z0-9-]+)(?:\/(table|field|measure)\/(.+))?$/s;
/** The same inside of a text. */
const INNER = /@([a-z-]+)\/([a-z0-9-]+)/g;

/** The texts that stand for ids, by id. Objects that have no key keep their ids. */
async function symbolsOf(sources: readonly SymbolSource[], { kinds }: SymbolKinds, names: Names) {
  const symbols = new Map<string, string>();
  for (const { kind, id } of sources) {
    if (symbols.has(id)) continue;
    const target = kinds[kind];
    const key = target && (await names.keyOf(target, id));
    if (key === undefined || key === id) continue;
    const symbol = `@${target}/${key}`;
    symbols.set(id, symbol);
    if (target !== 'model') continue;
    for (const [part, ids] of Object.entries(await names.partsOf(id)))
      for (const [partId, name] of ids) symbols.set(partId, `${symbol}/${part}/${name}`);
  }
  return symbols;
}

/** The object with keys and names in place of the ids that its `sources` list. */
export async function withSymbols(members: Members, places: SymbolKinds, names: Names): Promise<Members> {
  const { sources = [], ...others } = members;
  const used = places.sources ? await places.sources(others, names) : (sources as SymbolSource[]);
  const symbols = await symbolsOf(used, places, names);
  const shown = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => shown(each, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, shown(each, member)]));
    if (typeof value !== 'string') return value;
    if (places.inTexts.includes(name))
      return [...symbols].reduce((text, [id, symbol]) => text.replaceAll(id, symbol), value);
    // A text of an author that looks like a symbol is marked as a text.
    return symbols.get(value) ?? (value.startsWith('@') ? `@${value}` : value);
  };
  return shown(others, '') as Members;
}

/** The members of a file with ids, and an issue for each symbol that leads to none. */
export async function withIdsOfSymbols(
  file: Members,
  { kinds, inTexts }: SymbolKinds,
  names: Names,
): Promise<{ members: Members; issues: Issue[] }> {
  const issues: Issue[] = [];
  const targets = new Set<string>(Object.values(kinds));
  const idOf = async (text: string, pointer: string): Promise<string> => {
    const [, target = '', key = '', part, name = ''] = SYMBOL.exec(text) ?? [];
    if (!targets.has(target)) {
      issues.push({
        pointer,
        code: 'UNKNOWN_KEY',
        message: 'is not a reference; write @@ for a text that begins with @',
      });
      return text;
    }
    const id = await names.idOf(target as ObjectKind, key);
    if (id === undefined) issues.push(unknownKey(pointer, target as ObjectKind, key));
    if (id === undefined || part === undefined) return id ?? text;
    const parts = idsByName(await names.partsOf(id))[part as PartKind];
    const found = parts.get(name);
    if (found === undefined) issues.push(unknownPart(pointer, part as PartKind, name, [...parts.keys()]));
    return found ?? text;
  };
  const inText = async (text: string, pointer: string): Promise<string> => {
    const found = [...text.matchAll(INNER)].filter(([, target = '']) => targets.has(target));
    let whole = text;
    for (const [symbol] of found) whole = whole.replace(symbol, await idOf(symbol, pointer));
    return whole;
  };
  const read = async (value: unknown, pointer: string, name: string): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((each, index) => read(each, `${pointer}/${index}`, name)));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(async ([member, each]): Promise<[string, unknown]> => {
        return [member, await read(each, `${pointer}/${escapePointer(member)}`, member)];
      });
      return Object.fromEntries(await Promise.all(entries));
    }
    if (typeof value !== 'string') return value;
    if (inTexts.includes(name)) return inText(value, pointer);
    if (value.startsWith('@@')) return value.slice(1);
    return value.startsWith('@') ? idOf(value, pointer) : value;
  };
  return { members: (await read(file, '', '')) as Members, issues };
}
