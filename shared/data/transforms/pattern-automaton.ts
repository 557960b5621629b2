import { type CharacterSet, type Part, PatternError } from './pattern-parser.ts';

const MAX_POSITIONS = 500;
const MAX_STATES = 2_000;
/** The end of a match among the positions that may follow another one. */
const END = -1;

/** The characters of a pattern, and which ones may follow each other: those that Perl would try first come first. */
export interface Automaton {
  sets: readonly CharacterSet[];
  first: readonly number[];
  follow: ReadonlyMap<number, readonly number[]>;
}

/** Throws a PatternError for a pattern that is too long. */
export function automatonOf(pattern: Part): Automaton {
  const sets: CharacterSet[] = [];
  const follow = new Map<number, readonly number[]>();
  const position = (set: CharacterSet): Placed => {
    sets.push(set);
    if (sets.length > MAX_POSITIONS) throw new PatternError('is too long, with all its repetitions');
    return { kind: 'position', at: sets.length - 1 };
  };
  const placed = place(pattern, position);
  link(placed, [END], follow);
  return { sets, first: firstOf(placed, [END]), follow };
}

/** A pattern in which each character has a position, and counts are written out. */
type Placed =
  | { kind: 'position'; at: number }
  | { kind: 'sequence' | 'choice'; parts: readonly Placed[] }
  | { kind: 'loop' | 'option'; part: Placed };

function place(part: Part, position: (set: CharacterSet) => Placed): Placed {
  switch (part.kind) {
    case 'characters':
      return position(part.set);
    case 'group':
      return place(part.part, position);
    case 'repeat':
      return placeRepeat(part, position);
    default:
      return { kind: part.kind, parts: part.parts.map((each) => place(each, position)) };
  }
}

function placeRepeat(
  { part, min, max }: Extract<Part, { kind: 'repeat' }>,
  position: (set: CharacterSet) => Placed,
): Placed {
  const once = () => place(part, position);
  const parts = Array.from({ length: min }, once);
  if (max === Number.POSITIVE_INFINITY) {
    const loop: Placed = { kind: 'loop', part: once() };
    if (firstOf(loop.part, []).length === 0 || isNullable(loop.part)) throw new PatternError(EMPTY_REPEAT);
    return { kind: 'sequence', parts: [...parts, loop] };
  }
  let rest: Placed | undefined;
  for (let count = min; count < max; count += 1) {
    const next = once();
    if (isNullable(next)) throw new PatternError(EMPTY_REPEAT);
    rest = { kind: 'option', part: rest ? { kind: 'sequence', parts: [next, rest] } : next };
  }
  return { kind: 'sequence', parts: rest ? [...parts, rest] : parts };
}

const EMPTY_REPEAT = 'cannot repeat a part that may be empty';

function isNullable(part: Placed): boolean {
  switch (part.kind) {
    case 'position':
      return false;
    case 'sequence':
      return part.parts.every(isNullable);
    case 'choice':
      return part.parts.some(isNullable);
    default:
      return true;
  }
}

/** The positions with which a part can begin, and those that come after it if it is empty. */
function firstOf(part: Placed, after: readonly number[]): readonly number[] {
  switch (part.kind) {
    case 'position':
      return [part.at];
    case 'sequence':
      return part.parts.reduceRight((rest, each) => firstOf(each, rest), after);
    case 'choice':
      return unique(part.parts.flatMap((each) => firstOf(each, after)));
    default:
      return unique([...firstOf(part.part, after), ...after]);
  }
}

function link(part: Placed, after: readonly number[], follow: Map<number, readonly number[]>): void {
  switch (part.kind) {
    case 'position':
      follow.set(part.at, after);
      break;
    case 'sequence':
      part.parts.reduceRight((rest, each) => {
        link(each, rest, follow);
        return firstOf(each, rest);
      }, after);
      break;
    case 'choice':
      for (const each of part.parts) link(each, after, follow);
      break;
    case 'option':
      link(part.part, after, follow);
      break;
    default:
      link(part.part, unique([...firstOf(part.part, []), ...after]), follow);
  }
}

const unique = (items: readonly number[]): number[] => [...new Set(items)];

export const matchesEmpty = ({ first }: Automaton): boolean => first.includes(END);

const has = (set: CharacterSet, sign: number) => set.some(([from, to]) => from <= sign && sign <= to);

/** A character for each combination of positions that one can be at. */
function alphabet({ sets }: Automaton): number[] {
  const signs = new Set(sets.flatMap((set) => set.flatMap(([from, to]) => [from, to + 1])));
  const kinds = new Map([...signs].map((sign) => [sets.map((set) => (has(set, sign) ? 1 : 0)).join(''), sign]));
  return [...kinds.values()];
}

/**
 * Whether the match that Perl and RE2 take, the first one in the order of the pattern, is always the longest one, which
 * Postgres takes. All states that both reach with the same text are compared. Throws a PatternError if they are too
 * many.
 */
export function isFirstLongest(automaton: Automaton): boolean {
  const signs = alphabet(automaton);
  const start = { kept: automaton.first, all: automaton.first };
  const seen = new Set([keyOf(start)]);
  const open = [start];
  for (let state = open.pop(); state; state = open.pop()) {
    for (const sign of signs) {
      const next = step(automaton, state, sign);
      if (next.all.includes(END) && !next.kept.includes(END)) return false;
      const key = keyOf(next);
      if (next.all.length === 0 || seen.has(key)) continue;
      if (seen.size >= MAX_STATES) throw new PatternError('is too complex; write a simpler one, or several pairs');
      seen.add(key);
      open.push(next);
    }
  }
  return true;
}

/** The positions where a match can go on: in the order in which Perl tries them until one ends it, and all of them. */
interface State {
  kept: readonly number[];
  all: readonly number[];
}

const keyOf = ({ kept, all }: State) => `${kept.join()};${all.toSorted((a, b) => a - b).join()}`;

function step({ sets, follow }: Automaton, { kept, all }: State, sign: number): State {
  const after = (positions: readonly number[]) =>
    unique(positions.flatMap((at) => (at !== END && has(sets[at]!, sign) ? follow.get(at)! : [])));
  const end = kept.indexOf(END);
  return { kept: after(end < 0 ? kept : kept.slice(0, end)), all: after(all) };
}

/** Whether each character of a text has one position only, so that there is one way to match it. */
export function isDeterministic({ sets, first, follow }: Automaton): boolean {
  const isApart = (positions: readonly number[]) => {
    const ranges = positions.flatMap((at) => (at === END ? [] : [...sets[at]!])).toSorted((a, b) => a[0] - b[0]);
    return ranges.every(([from], index) => index === 0 || from > ranges[index - 1]![1]);
  };
  return [first, ...follow.values()].every(isApart);
}
