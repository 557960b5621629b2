import { labelOf } from './json-schema.ts';

type Settings = Readonly<Record<string, unknown>>;

interface Words {
  /** What members are called where their names do not say it. */
  titles?: Readonly<Record<string, string>>;
  /** What values are called. */
  values?: Readonly<Record<string, string>>;
}

/** Settings of the API in a line, such as `Rows must meet: all · Conditions: status is not cancelled`. */
export const settingsText = (settings: Settings, { titles = {}, values = {} }: Words = {}): string =>
  Object.entries(settings)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${titles[name] ?? labelOf(name)}: ${textOf(value, values)}`)
    .join(' · ');

function textOf(value: unknown, words: Readonly<Record<string, string>>): string {
  if (Array.isArray(value)) return value.map((each) => textOf(each, words)).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.values(value)
      .map((each) => textOf(each, words))
      .join(' ');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === '' ? 'empty text' : (words[String(value)] ?? String(value));
}
