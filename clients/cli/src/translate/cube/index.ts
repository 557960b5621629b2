import { type Entry, entriesOf, innerEntries, yamlBelow } from '../entries.ts';
import { Model } from '../model.ts';
import { Names, slugOf } from '../names.ts';
import { Report, Untranslatable } from '../report.ts';
import type { Definition, Target, Translator } from '../translation.ts';
import { present, textOf } from '../values.ts';
import { type Cube, Cubes, type Destination } from './cubes.ts';
import { addFields } from './fields.ts';
import { addHierarchies, addJoins } from './joins.ts';
import { Measures } from './measures.ts';
import { CubeView, withoutUnused } from './views.ts';

/** The cubes of a project become a model, and each of its views a smaller one. */
export const translateCube: Translator = async (folder, target, report) => {
  const files = await yamlBelow(folder, report);
  const cubes = files.flatMap((file) => entriesOf(file, ['cubes']));
  const [keys, titles] = [new Names(), new Names(200, ' ')];
  const title = titles.free(target.name ?? 'Cube');
  const whole = new Model(keys.free(slugOf(title)), title, target.source);
  translateCubes(cubes, { model: whole, target, report });
  const made: Definition[] = whole.members ? [{ kind: 'model', key: whole.key, members: whole.members }] : [];
  for (const entry of files.flatMap((file) => entriesOf(file, ['views']))) {
    const view = report.attempt(entry.at(), `view ${textOf(entry.members.name)}`, () =>
      translateView(entry, cubes, { target, report, keys, titles }),
    );
    if (view) made.push(view);
  }
  return made;
};

interface ViewContext {
  target: Target;
  report: Report;
  keys: Names;
  titles: Names;
}

/** A model of the cubes of a view, which shows what the view shows. */
function translateView(entry: Entry, cubes: readonly Entry[], { target, report, keys, titles }: ViewContext) {
  const view = new CubeView(entry);
  const { name, description, folders } = entry.members;
  const own = cubes.filter(({ members }) => view.cubes.has(textOf(members.name) ?? ''));
  const title = textOf(entry.members.title) ?? textOf(name) ?? '';
  const model = new Model(keys.free(slugOf(textOf(name) ?? '')), titles.free(title), target.source);
  model.description = textOf(description);
  // What is wrong with the cubes has been reported with them.
  const translated = translateCubes(own, { model, target, report: new Report(), view });
  const members = model.members && withoutUnused(model.members);
  if (!members || !translated.isShown) throw new Untranslatable('Nothing that it shows could be translated.');
  view.noteMissing(report, (cube, member) => translated.has(cube, member));
  if (folders !== undefined)
    report.unmapped(entry.at('folders'), `folders of view ${view.name}`, 'They have no counterpart.');
  return { kind: 'model', key: model.key, members: present(members) };
}

function translateCubes(entries: readonly Entry[], into: Destination): Cubes {
  const cubes = new Cubes(entries, into);
  addFields(cubes);
  for (const cube of cubes.all) addJoins(cubes, cube);
  for (const cube of cubes.all) addHierarchies(cubes, cube);
  const measures = new Measures(cubes, entries);
  for (const cube of cubes.all) for (const measure of innerEntries(cube.entry, 'measures')) measures.add(cube, measure);
  for (const cube of cubes.all) noteOthers(cube, into.report);
  return cubes;
}

const IGNORED = new Set(
  'name title description sql sql_table sqlTable data_source dataSource joins dimensions measures segments public shown meta hierarchies refresh_key refreshKey'.split(
    ' ',
  ),
);

function noteOthers({ name, entry }: Cube, report: Report): void {
  for (const [member, value] of Object.entries(entry.members)) {
    if (IGNORED.has(member)) continue;
    const parts = innerEntries(entry, member);
    const reason =
      REASONS[member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? 'It has no counterpart.';
    for (const part of parts) report.unmapped(part.at(), `${member} ${name}.${textOf(part.members.name)}`, reason);
    if (parts.length === 0 && value !== undefined && value !== null)
      report.unmapped(entry.at(member), `${member} of ${name}`, reason);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  pre_aggregations: 'The platform caches answers; for a model, define a rollup.',
  access_policy: 'Row-level security is set on the platform, by an admin.',
};
