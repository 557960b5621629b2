import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What the console loads together, as paths from the root. */
export interface Part {
  scripts: readonly string[];
  style: string | undefined;
}

/** In KB, compressed. */
const MAX_FIRST_SCRIPTS_KB = 60;
const MAX_FIRST_STYLE_KB = 10;
const MAX_SCREEN_KB = 25;

/** Larger screens, because of the editor or the graph that they are made of. */
const MAX_OF_SCREEN_KB: Readonly<Record<string, number>> = { sql: 165, pipelines: 45, runs: 45, stories: 90 };

/** Libraries that would repeat what the console has. */
const REFUSED =
  /node_modules[\\/](react|react-dom|preact[\\/]compat|moment|dayjs|date-fns|ag-grid|monaco-editor)[\\/-]/;

/** Throws an error that names every part that is too large, and every library that may not be part of the console. */
export async function assertBudgets(
  root: string,
  { first, screens, inputs }: { first: Part; screens: Readonly<Record<string, Part>>; inputs: readonly string[] },
): Promise<void> {
  const sizeOf = async (paths: readonly string[]): Promise<number> => {
    const files = await Promise.all(paths.map((path) => readFile(join(root, path))));
    return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / 1024;
  };
  const styleOf = ({ style }: Part) => (style === undefined ? [] : [style]);
  const parts: [name: string, kb: number, budgetKb: number][] = [
    ['the scripts of the first load', await sizeOf(first.scripts), MAX_FIRST_SCRIPTS_KB],
    ['the style of the first load', await sizeOf(styleOf(first)), MAX_FIRST_STYLE_KB],
  ];
  for (const [name, part] of Object.entries(screens)) {
    const kb = await sizeOf([...part.scripts, ...styleOf(part)]);
    parts.push([`the screen ${name}`, kb, MAX_OF_SCREEN_KB[name] ?? MAX_SCREEN_KB]);
  }
  const issues = [
    ...parts
      .filter(([, kb, budgetKb]) => kb > budgetKb)
      .map(([name, kb, budgetKb]) => `${name} has ${kb.toFixed(1)} KB; the budget is ${budgetKb} KB`),
    ...inputs.filter((path) => REFUSED.test(path)).map((path) => `${path} may not be part of the console`),
  ];
  if (issues.length > 0) throw new Error(`The console is too large or has refused libraries:\n${issues.join('\n')}`);
}
