import type { Choices } from '../value-soak/random.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
export type Json = any;

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** JSON texts that break what reads them carelessly; texts, because no value of JavaScript has some of them. */
const HOSTILE: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '1.5', '-0', '1e308', '-1e308', '1e400', '1e-320', '9007199254740993'],
  ...['123456789012345678901234567890', '4294967296', '2147483648', '1e21', '0.1e1'],
  ...['""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"a\\udc00b"', '"\\u202e"', '"\\ufeffx"', '"\\r\\nX-A: b"'],
  ...['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"', '"valueOf"', '"then"', '"length"'],
  ...[
    '"{{ params.x }}"',
    '"{{"',
    '"{{ steps.__proto__ }}"',
    '"$1"',
    '"$x"',
    '"%s"',
    '"%00"',
    '"../../x"',
    '"/"',
    '"\\\\"',
  ],
  ...[
    '"\'"',
    '"\\""',
    '"--"',
    '"[a.b]"',
    '"[["',
    '"SELECT"',
    '"a;b"',
    '"(((((((("',
    '"(?<a>x+)+$"',
    '"*"',
    '"**/**/**"',
  ],
  ...['"0000-00-00"', '"9999-12-31T23:59:59Z"', '"+275760-09-13"', '"-000001-01-01"', '"2026-02-30"', '"24:60"'],
  ...[
    '"NaN"',
    '"Infinity"',
    '"1e999"',
    '"P1Y"',
    '"UTC"',
    '"Mars/Olympus"',
    '"*/0 * * * *"',
    '"0 0 30 2 *"',
    '"* * * * *"',
  ],
  ...['"http://[::1"', '"https://a@b:99999/"', '"javascript:1"', '"a@b"', '"de-DE-x-1"', '"😀"', '"ß\\u0301"'],
  ...[
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '[[[[1]]]]',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"a":1}}',
    '{"toString":1}',
  ],
  ...['{"":1}', '{"then":1}', '{"length":-1}', '{"type":"__proto__"}', '{"kind":"constructor"}', '{"op":"toString"}'],
  `"${'x'.repeat(300)}"`,
  // One character that becomes eighteen when names are compared.
  `"${'\ufdfa'.repeat(200)}"`,
  `"${'x'.repeat(70_000)}"`,
  `"${'\\u0001'.repeat(2000)}"`,
  `"${'('.repeat(3000)}"`,
  `"${'NOT '.repeat(3000)}a"`,
  `"${'a.'.repeat(3000)}a"`,
  `"${'1+'.repeat(5000)}1"`,
  `"${'[a]*'.repeat(1000)}[a]"`,
  nested(50, '[', ']'),
  nested(50, '{"a":', '}'),
  nested(50, '{"and":[', ']}'),
  `[${'0,'.repeat(20_000)}0]`,
  `[${'"a",'.repeat(3000)}"a"]`,
  `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
  `{"${'k'.repeat(5000)}":1}`,
];

const MARK = '\u2756mutation\u2756';

/** A body with one or two members replaced, added, doubled or left out, as JSON, and what was changed. */
export function mutated(choices: Choices, example: Json, members: (path: string[]) => string[]) {
  const body = structuredClone(example);
  const changes: string[] = [];
  const texts: string[] = [];
  const put = (parent: Json, name: string | number, path: string[], text: string) => {
    Object.defineProperty(parent, name, {
      value: `${MARK}${texts.length}`,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    texts.push(text);
    changes.push(`${['', ...path, name].join('/')} = ${text.slice(0, 60)}`);
  };
  for (let count = choices.chance(0.3) ? 2 : 1; count > 0; count -= 1) {
    const places = [...placesOf(body)];
    const { parent, name, path } = choices.of(places);
    const kind = choices.upTo(9);
    if (parent === undefined || kind === 0) addMember(choices, placeOf(body, path), path, members, put);
    else if (kind === 1 && Array.isArray(parent)) {
      parent.push(...Array.from({ length: choices.of([1, 2, 200]) }, () => structuredClone(parent[Number(name)])));
      changes.push(`${path.join('/')} repeated`);
    } else if (kind === 2 && !Array.isArray(parent)) {
      delete parent[name];
      changes.push(`${path.join('/')} left out`);
    } else if (kind === 3) {
      put(parent, name, path.slice(0, -1), JSON.stringify(choices.of(places).value) ?? 'null');
    } else put(parent, name, path.slice(0, -1), choices.of(HOSTILE));
  }
  const text = JSON.stringify(body).replaceAll(new RegExp(`"${MARK}(\\d+)"`, 'g'), (_all, index) => texts[index]!);
  return { text, change: changes.join(', ') };
}

type Put = (parent: Json, name: string | number, path: string[], text: string) => void;

/** A declared member that the example does not have, or an unknown one. */
function addMember(choices: Choices, parent: Json, path: string[], members: (path: string[]) => string[], put: Put) {
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return;
  const known = members(path).filter((name) => !Object.hasOwn(parent, name));
  const name =
    known.length > 0 && choices.chance(0.9) ? choices.of(known) : choices.of(['__proto__', 'constructor', 'x', '']);
  put(parent, name, path, choices.of(HOSTILE));
}

const placeOf = (body: Json, path: readonly string[]): Json => path.reduce((value, name) => value?.[name], body);

interface Place {
  parent: Json;
  name: string;
  path: string[];
  value: Json;
}

function* placesOf(value: Json, parent?: Json, path: string[] = []): Generator<Place> {
  yield { parent, name: path.at(-1) ?? '', path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value).slice(0, 50)) yield* placesOf(value[name], value, [...path, name]);
}
