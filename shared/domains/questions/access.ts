import type { Principal } from '../../platform/auth/principal.ts';
import type { ModelDefinition } from '../models/index.ts';
import { canonicalTimezone, type QueryDeps } from '../queries/index.ts';
import { deniedFields, type Reader, type RightsDeps, readerOf, tableRights } from '../row-rights/index.ts';
import { dialectOf } from './compile-question.ts';
import { placeOf } from './model-source.ts';

/** How questions of the caller to the model are compiled. Throws `SOURCE_NOT_QUERYABLE` and, for the time zone, `VALIDATION_FAILED`. */
export async function contextOf(
  { live, rights, now }: Pick<QueryDeps, 'live' | 'rights' | 'now'>,
  definition: ModelDefinition,
  { principal, timezone: wanted }: { principal: Principal; timezone: string },
) {
  const timezone = canonicalTimezone(wanted);
  const [dialect, access] = await Promise.all([
    dialectOf(definition.model, live.find),
    accessOf(rights, definition, principal),
  ]);
  return { dialect, clock: { now: now(), timezone }, timezone, ...access };
}

/** What the caller may see of the tables and fields of a model. */
async function accessOf(deps: RightsDeps, definition: ModelDefinition, principal: Principal) {
  const { sourceId, workspaceId } = definition.model;
  let known: Promise<Reader> | undefined;
  const reader = () => {
    known ??= readerOf(deps.table, principal);
    return known;
  };
  const tables = [...definition.tables.values()].map(placeOf);
  const rights = await tableRights(deps, { workspaceId, sourceId, tables, reader });
  const isOpen = rights.restricted.length === 0 && !hasLabels(definition);
  return { rights, denied: isOpen ? NONE : deniedFields(definition, rights, await reader()) };
}

const NONE: ReadonlySet<string> = new Set();

const hasLabels = ({ fields }: ModelDefinition): boolean =>
  [...fields.values()].some(({ sensitivityLabel }) => sensitivityLabel !== null);
