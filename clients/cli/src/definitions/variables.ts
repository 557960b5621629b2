import { suggestion } from './nearest.ts';
import type { Place } from './yaml.ts';

/** `${name}` stands for the value of a variable; with one more dollar sign it is a plain text. */
const VARIABLE = /(\$+)\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The values of the variables of a project in the context that a command works with. */
export interface Variables {
  /** The value of each variable that has one. */
  values: ReadonlyMap<string, string>;
  /** All variables that the project declares. */
  declared: readonly string[];
  /** The name of the context, if the project knows it. */
  context: string | undefined;
}

export interface Filled {
  /** With values in place of variables. */
  text: string;
  issues: (Place & { message: string })[];
  /** The place in the file of a place in the text. Values have one line, so only columns differ. */
  placeInFile(place: Place): Place;
}

interface Replacement {
  line: number;
  /** Where the value begins in the text, and how long it is. */
  column: number;
  length: number;
  /** How long the name was in the file. */
  fileLength: number;
}

export function fillIn(file: string, variables: Variables): Filled {
  const issues: Filled['issues'] = [];
  const replacements: Replacement[] = [];
  const secrets = secretLines(file);
  const text = file
    .split('\n')
    .map((content, index) =>
      (secrets.has(index) ? quoteInBraces : fillLine)(content, index + 1, { variables, issues, replacements }),
    )
    .join('\n');
  return { text, issues, placeInFile: (place) => placeInFile(place, replacements) };
}

interface Filling {
  variables: Variables;
  issues: Filled['issues'];
  replacements: Replacement[];
}

function fillLine(content: string, line: number, { variables, issues, replacements }: Filling): string {
  let filled = '';
  let end = 0;
  for (const match of content.matchAll(VARIABLE)) {
    const [whole, dollars = '', name = ''] = match;
    filled += content.slice(end, match.index);
    const value = dollars.length > 1 ? whole.slice(1) : variables.values.get(name);
    if (value === undefined) issues.push({ line, column: match.index + 1, message: issueOf(name, variables) });
    const written = value ?? whole;
    replacements.push({ line, column: filled.length + 1, length: written.length, fileLength: whole.length });
    filled += written;
    end = match.index + whole.length;
  }
  return filled + content.slice(end);
}

/** In the braces of a mapping, a variable that stays in the text has to be quoted. */
function quoteInBraces(content: string, line: number, { replacements }: Filling): string {
  if (!/[{[]/.test(content.replaceAll(VARIABLE, ''))) return content;
  return content.replaceAll(VARIABLE, (whole, ...[, , at]: [string, string, number]) => {
    if (/["']/.test(content[at - 1] ?? '')) return whole;
    replacements.push({ line, column: at + 1, length: whole.length + 2, fileLength: whole.length });
    return `'${whole}'`;
  });
}

function issueOf(name: string, { declared, context }: Variables): string {
  if (!declared.includes(name)) {
    const ways = 'Declare it in analytics.yaml, or write $${…} for the text itself.';
    return `Unknown variable "${name}"${suggestion(name, declared)} ${ways}`;
  }
  return context === undefined
    ? `The value of the variable "${name}" depends on the context. Name one with --context or ANALYTICS_CONTEXT.`
    : `The variable "${name}" has no value in the context ${context}.`;
}

function placeInFile({ line, column }: Place, replacements: readonly Replacement[]): Place {
  let shift = 0;
  for (const each of replacements) {
    if (each.line !== line || each.column > column) continue;
    const isInside = column < each.column + each.length;
    if (isInside) return { line, column: each.column + shift };
    shift += each.fileLength - each.length;
  }
  return { line, column: column + shift };
}

/** A text of the platform as a file has it: what looks like a variable is marked as a text. */
export function escapeVariables(text: string): string {
  const secrets = secretLines(text);
  const escaped = (line: string) => line.replaceAll(VARIABLE, (whole) => `$${whole}`);
  return text
    .split('\n')
    .map((line, index) => (secrets.has(index) ? line : escaped(line)))
    .join('\n');
}

/** The lines below `secrets:`, by index: their variables go to the platform, with values of the environment beside. */
function secretLines(text: string): Set<number> {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^secrets:/.test(line));
  if (start === -1) return new Set();
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#]/.test(line));
  const end = length === -1 ? lines.length : start + 1 + length;
  return new Set(Array.from({ length: end - start }, (_, index) => start + index));
}

/** The values of the environment for the variables in place of secrets. */
export function secretsIn(text: string, environment: Readonly<Record<string, string | undefined>>) {
  const lines = text.split('\n');
  const names = [...secretLines(text)].flatMap((index) =>
    [...lines[index]!.matchAll(VARIABLE)].map(([, , name = '']) => name),
  );
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** Stand for variables in a text that is read as YAML, where braces would have a meaning. */
const [BEGIN, END] = ['\uE000', '\uE001'];
const MARKED = new RegExp(`${BEGIN}(\\w+)${END}`, 'g');

export const markVariables = (file: string): string =>
  file.replaceAll(VARIABLE, (whole, dollars: string, name: string) =>
    dollars.length > 1 ? whole : `${BEGIN}${name}${END}`,
  );

export const unmarkVariables = (text: string): string => text.replaceAll(MARKED, (_, name: string) => `\${${name}}`);
