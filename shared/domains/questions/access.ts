import type { Principal } from '../../platform/auth/principal.ts';
import type { ModelDefinition } from '../models/index.ts';
import { deniedFields, type Reader, type RightsDeps, readerOf, tableRights } from '../row-rights/index.ts';
import { placeOf } from './model-source.ts';

/** What the caller may see of the tables and fields of a model. */
export async function accessOf(deps: RightsDeps, definition: ModelDefinition, principal: Principal) {
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
