import type { Principal } from '../../../../platform/auth/principal.ts';
import { inParallel } from '../../../../platform/concurrency/in-parallel.ts';
import { applyEdit, type ModelDefinition, withoutFields } from '../../../semantics/models/index.ts';
import { findPart } from '../columns/walk.ts';
import { Explorer } from '../explorer.ts';
import { MAX_LINEAGE_NODES } from '../graph.ts';
import type { Sight } from '../kinds.ts';
import { type LineageRef, type LineageType, refKey } from '../types.ts';
import { sightOf } from '../walk.ts';
import type { LineageDeps } from '../workspace-parts.ts';
import { ChangedWorld } from './changed-world.ts';
import { EFFECTS_BY_KIND, type Effects, type ImpactChecks } from './effects.ts';
import { type Affected, breaks, EFFECTS, type Impact, isSameOutcome, loses } from './types.ts';

export interface ImpactDeps extends LineageDeps {
  checks: ImpactChecks;
}

const AT_ONCE = 8;
/** An object may be reached again by a longer way; pipelines may even read what they load. */
const MAX_ROUNDS = 20;

/**
 * What a removal of the object, or of one of its columns, would do to the objects that are made of it. Each is checked
 * as its own operations check it, as if the removal had happened. Objects that the reader may not see are absent, with
 * all that is reached through them alone. Undefined if the reader does not see the object. Throws
 * `LINEAGE_COLUMN_NOT_FOUND`.
 */
export async function findImpact(
  deps: ImpactDeps,
  reader: Principal,
  { start, column }: { start: LineageRef; column?: string },
): Promise<Impact | undefined> {
  const sight = sightOf(deps, reader);
  const explorer = new Explorer(sight);
  if (!(await explorer.see(start))) return undefined;
  const effects: Effects = { sight, explorer, world: new ChangedWorld(sight), checks: deps.checks };
  const part = column === undefined ? null : (await findPart(explorer, start, column)).part;
  const parts = part === null ? 'all' : [part];
  const edited = start.type === 'model' && part !== null ? await withoutPart(sight, start.id, part) : undefined;
  return impactOn(effects, { start, parts, ...(edited && { edited }) });
}

/** What is taken away: parts of an object by their ids, or the object. */
export interface Removal {
  start: LineageRef;
  parts: readonly string[] | 'all';
  /** The definition that is left of a model that loses parts. */
  edited?: ModelDefinition;
  /** Steps of a pipeline that do not load any more. */
  stopped?: readonly string[];
}

/** The same for a removal that an operation is about to make. Undefined if the reader does not see the object. */
export async function findImpactOfRemoval(
  deps: ImpactDeps,
  sight: Sight,
  removal: Removal,
): Promise<Impact | undefined> {
  const explorer = new Explorer(sight);
  if (!(await explorer.see(removal.start))) return undefined;
  return impactOn({ sight, explorer, world: new ChangedWorld(sight), checks: deps.checks }, removal);
}

async function impactOn(effects: Effects, removal: Removal): Promise<Impact> {
  remove(effects.world, removal);
  const isTruncated = await spread(effects, removal.start);
  return { affected: await listAffected(effects, removal), isTruncated };
}

function remove({ outcomes, edited }: ChangedWorld, { start, parts, stopped, ...removal }: Removal): void {
  const key = refKey(start);
  if (removal.edited) edited.set(start.id, removal.edited);
  if (parts === 'all') outcomes.set(key, breaks());
  else if (LOSES_COLUMNS.includes(start.type)) {
    const lost = loses(new Set(parts.map((part) => part.toLowerCase())));
    outcomes.set(key, stopped ? { ...lost, effect: 'breaks', broken: new Set(stopped) } : lost);
  } else outcomes.set(key, breaks(new Set(parts)));
}

/** Objects whose parts are columns of rows. */
const LOSES_COLUMNS: readonly LineageType[] = ['dataset', 'saved-query', 'source', 'pipeline'];

async function withoutPart({ parts, now, reader }: Sight, modelId: string, part: string): Promise<ModelDefinition> {
  const definition = (await parts.model(modelId))!;
  const field = definition.fields.get(part);
  if (field) return applyEdit(definition, withoutFields(definition, [field], { by: reader.userId, at: now }));
  return applyEdit(definition, { remove: { measures: [part] } });
}

/** Whether there were more objects than can be followed. */
async function spread(effects: Effects, start: LineageRef): Promise<boolean> {
  const { world, explorer } = effects;
  const reached = new Set([refKey(start)]);
  let changed: LineageRef[] = [start];
  let isTruncated = false;
  for (let round = 0; changed.length > 0 && round < MAX_ROUNDS; round += 1) {
    const next = new Map<string, LineageRef>();
    for (const ref of changed) {
      for (const each of await explorer.dependentsOf(ref)) next.set(refKey(each), each);
    }
    // The parts of a model use each other.
    if (round === 0 && start.type === 'model') next.set(refKey(start), start);
    changed = [];
    await inParallel(AT_ONCE, [...next.values()], async (ref) => {
      const key = refKey(ref);
      if (key === refKey(start) && start.type !== 'model') return;
      if (!reached.has(key) && reached.size >= MAX_LINEAGE_NODES) {
        isTruncated = true;
        return;
      }
      reached.add(key);
      const before = world.outcomes.get(key);
      if (before?.broken === 'all') return;
      const outcome = await EFFECTS_BY_KIND[ref.type](effects, ref.id);
      if (!outcome || isSameOutcome(before, outcome)) return;
      world.outcomes.set(key, outcome);
      changed.push(ref);
    });
  }
  return isTruncated;
}

async function listAffected({ world, explorer }: Effects, { start, parts: removed }: Removal): Promise<Affected[]> {
  const known = removed === 'all' ? undefined : new Set(removed.map((part) => part.toLowerCase()));
  const isRemoved = (part: string) => known === undefined || known.has(part.toLowerCase());
  const items: Affected[] = [];
  for (const [key, { effect, broken, lost }] of world.outcomes) {
    const [type, id] = key.split(' ') as [LineageRef['type'], string];
    const isStart = key === refKey(start);
    const object = await explorer.see({ type, id });
    if (!object) continue;
    const { parts } = await explorer.partsOf({ type, id });
    const columns = parts.flatMap(({ id: part, name }) => {
      const isIn = part !== null && ((broken !== 'all' && broken.has(part)) || lost.has(part.toLowerCase()));
      return isIn && !(isStart && isRemoved(part)) ? [{ id: part, name }] : [];
    });
    if (isStart && columns.length === 0) continue;
    items.push({ ...object, effect, columns: columns.sort((a, b) => (a.id < b.id ? -1 : 1)) });
  }
  const order = ({ effect, type, name, id }: Affected) =>
    [EFFECTS.indexOf(effect), type, name.toLowerCase(), id].join(' ');
  return items.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
