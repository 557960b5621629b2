import type { DefinitionRecord } from '../../../../shared/domains/catalog/definitions/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import type { Members } from '../kinds/kind.ts';
import { nameIn } from '../kinds/variables.ts';
import type { Context, Named } from './context.ts';
import { mayChange, unlessForbidden } from './move-definition.ts';
import { readObject } from './objects.ts';

type Values = Readonly<Record<string, string>>;

export interface ToCompare extends Named {
  secrets: Values;
}

interface Compared extends Named {
  changed: string[];
}

const COMPARED_AT_ONCE = 8;

/** The place of a secret, of which its mark depends. */
const placeOf = ({ kind, key }: Named, variable: string) => `${kind}/${key}/${variable}`;

/**
 * The variables whose values are not those that were last deployed. It is told only to those who may replace the
 * secrets, one value of each at a time.
 */
export async function compareSecrets(context: Context, given: readonly ToCompare[]): Promise<Compared[]> {
  const items = new Map(given.map((item) => [`${item.kind}/${item.key}`, item]));
  const compared = new Map<string, Compared>();
  await inParallel(COMPARED_AT_ONCE, [...items], async ([name, { kind, key, secrets }]) => {
    const named = { kind, key };
    const record = await context.definitions.get(context.workspaceId, kind, key);
    if (record && (await mayReplace(context, named, record)))
      compared.set(name, { ...named, changed: await changedSecrets(context, record, secrets) });
  });
  return [...items.keys()].flatMap((name) => compared.get(name) ?? []);
}

async function mayReplace(context: Context, named: Named, record: DefinitionRecord): Promise<boolean> {
  if (record.isDeleted) return false;
  const object = await readObject(context, named.kind, record.objectId).catch(unlessForbidden);
  return object ? mayChange(context, named, { record, object }) : false;
}

async function changedSecrets({ marks }: Context, record: DefinitionRecord, values: Values): Promise<string[]> {
  const changed: string[] = [];
  for (const variable of variablesIn(record.secrets ?? {})) {
    const value = Object.hasOwn(values, variable) ? values[variable]! : undefined;
    const mark = record.secretMarks?.[variable];
    if (value === undefined) continue;
    const isSame = mark && (await marks.matches(mark, record.workspaceId, placeOf(record, variable), value));
    if (!isSame) changed.push(variable);
  }
  return changed;
}

/** The marks of the secrets of an object: those of the values that were sent, and of others that it keeps. */
export async function marksOf(
  { marks, workspaceId }: Context,
  named: Named,
  { variables, values = {}, kept = {} }: { variables: Members; values?: Values | undefined; kept?: Values | undefined },
): Promise<Record<string, string>> {
  const entries = variablesIn(variables).map(async (variable): Promise<[string, string | undefined]> => {
    const value = Object.hasOwn(values, variable) ? values[variable] : undefined;
    if (value === undefined) return [variable, kept[variable]];
    return [variable, await marks.of(workspaceId, placeOf(named, variable), value)];
  });
  const found = await Promise.all(entries);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function variablesIn(secrets: Members): string[] {
  const names = Object.values(secrets).flatMap((variable) =>
    typeof variable === 'string' ? [nameIn(variable)] : variablesIn(variable as Members),
  );
  return [...new Set(names)];
}
