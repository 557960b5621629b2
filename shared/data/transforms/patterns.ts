import type { Issue } from '../../platform/errors/app-error.ts';
import type { Dialect } from '../expressions/index.ts';
import { type Automaton, automatonOf, isDeterministic, isFirstLongest, matchesEmpty } from './pattern-automaton.ts';
import {
  type CharacterSet,
  complement,
  MAX_CODE_POINT,
  type Part,
  type Pattern,
  PatternError,
  parsePattern,
} from './pattern-parser.ts';

/**
 * Why a pattern or a replacement cannot have one meaning in all databases. DuckDB takes the first match in the order of
 * the pattern, as Perl does, and Postgres the longest one; so only patterns are valid for which these are the same.
 */
export function patternIssues({ from, to }: { from: string; to: string }, place: string): Issue[] {
  const issue = (member: string, message: string): Issue[] => [
    { pointer: `${place}/${member}`, code: 'PATTERN', message },
  ];
  const pieces = replacementPieces(to);
  if (!pieces) return issue('to', 'can have \\1 to \\9 for groups, \\0 for the match and \\\\ for a backslash');
  try {
    const pattern = parsePattern(from);
    const groups = pieces.flatMap((piece) => (typeof piece === 'number' && piece > 0 ? [piece] : []));
    const unknown = groups.find((group) => group > pattern.groupCount);
    if (unknown !== undefined) return issue('to', `has \\${unknown}, but the pattern has ${pattern.groupCount} groups`);
    const reason = reasonAgainst(pattern, groups);
    return reason === undefined ? [] : issue('from', reason);
  } catch (error) {
    if (error instanceof PatternError) return issue('from', error.message);
    throw error;
  }
}

function reasonAgainst({ part, atEnd }: Pattern, groups: readonly number[]): string | undefined {
  const automaton: Automaton = automatonOf(part);
  if (matchesEmpty(automaton)) return 'must match at least one character';
  if (groups.some((group) => isRepeated(part, group))) return 'cannot repeat a group that the replacement uses';
  if (groups.length > 0 && !isDeterministic(automaton))
    return 'must leave one way to match each text if the replacement uses groups, as in ([^,]*),(.*)';
  if (!atEnd && !isFirstLongest(automaton))
    return 'matches texts of different lengths in different databases; put longer alternatives first';
  return undefined;
}

function isRepeated(part: Part, group: number, within = false): boolean {
  if (part.kind === 'characters') return false;
  if (part.kind === 'group') return (within && part.number === group) || isRepeated(part.part, group, within);
  if (part.kind === 'repeat') return isRepeated(part.part, group, within || part.max > 1);
  return part.parts.some((each) => isRepeated(each, group, within));
}

/** A valid pattern in the words of the engine. */
export function patternSql(text: string, dialect: Dialect): string {
  const { part, atStart, atEnd } = parsePattern(text);
  return `${atStart ? '^' : ''}${writePart(part, dialect)}${atEnd ? '$' : ''}`;
}

function writePart(part: Part, dialect: Dialect): string {
  switch (part.kind) {
    case 'characters':
      return characters(part.set, dialect);
    case 'group':
      return `(${part.number === undefined ? '?:' : ''}${writePart(part.part, dialect)})`;
    case 'repeat':
      return `${writePart(part.part, dialect)}${counts(part.min, part.max)}`;
    case 'choice':
      return part.parts.map((each) => writePart(each, dialect)).join('|');
    default:
      return part.parts.map((each) => writePart(each, dialect)).join('');
  }
}

function counts(min: number, max: number): string {
  if (max === 1 && min === 0) return '?';
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function characters(set: CharacterSet, dialect: Dialect): string {
  const [only] = set;
  if (set.length === 1 && only![0] === only![1]) return character(only![0], dialect);
  const isOpen = set.at(-1)?.[1] === MAX_CODE_POINT;
  const members = isOpen ? complement(set) : set;
  if (members.length === 0) throw new PatternError('must exclude a character in [^…]');
  const ranges = members.map(([from, to]) =>
    from === to ? character(from, dialect) : `${character(from, dialect)}-${character(to, dialect)}`,
  );
  return `[${isOpen ? '^' : ''}${ranges.join('')}]`;
}

/** A character that stands for itself, in and out of brackets. */
function character(code: number, dialect: Dialect): string {
  const sign = String.fromCodePoint(code);
  if (/^[A-Za-z0-9 ]$/.test(sign) || (code > 0xa0 && (code < 0xd800 || code > 0xdfff) && code < 0xfffe)) return sign;
  const hex = code.toString(16);
  if (dialect === 'duckdb') return `\\x{${hex}}`;
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** The texts and groups of a replacement, 0 for the whole match; undefined for another escape. */
function replacementPieces(text: string): (string | number)[] | undefined {
  const pieces = text.match(/\\.?|[^\\]+/gsu) ?? [];
  if (pieces.some((piece) => piece.startsWith('\\') && !/^\\[\d\\]$/.test(piece))) return undefined;
  return pieces.map((piece) => (/^\\\d$/.test(piece) ? Number(piece[1]) : piece === '\\\\' ? '\\' : piece));
}

/** A valid replacement in the words of the engine. */
export function replacementSql(text: string, dialect: Dialect): string {
  const match = dialect === 'duckdb' ? '\\0' : '\\&';
  return replacementPieces(text)!
    .map((piece) => (typeof piece === 'number' ? (piece === 0 ? match : `\\${piece}`) : piece.replaceAll('\\', '\\\\')))
    .join('');
}
