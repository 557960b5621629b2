import { markVariables, unmarkVariables } from './variables.ts';
import { loadYaml, YAML_OPTIONS } from './yaml.ts';

/** The members of files that have keys of other objects, with their kind. */
export type KeyMembers = Readonly<Record<string, string>>;

interface Renamed {
  kind: string;
  key: string;
  newKey: string;
}

/** The file with another key of an object, wherever it refers to the object. All else keeps its bytes. */
export async function withNewKey(
  source: string,
  keyMembers: KeyMembers,
  { kind, key, newKey }: Renamed,
): Promise<string> {
  const yaml = await loadYaml();
  const marked = markVariables(source);
  const places: number[] = [];
  const add = (node: unknown) => {
    if (yaml.isScalar(node) && node.value === key && node.range) places.push(marked.indexOf(key, node.range[0]));
  };
  yaml.visit(yaml.parseDocument(marked, YAML_OPTIONS), {
    Pair: (_, pair) => {
      if (!yaml.isScalar(pair.key) || keyMembers[String(pair.key.value)] !== kind) return;
      if (yaml.isSeq(pair.value)) pair.value.items.forEach(add);
      else add(pair.value);
    },
  });
  const renamed = places
    .sort((a, b) => b - a)
    .reduce((text, place) => text.slice(0, place) + newKey + text.slice(place + key.length), marked);
  // In any place of a dashboard, such as `@model/sales/field/orders.region`. A text that begins with `@@` is a text.
  const symbol = new RegExp(`(?<![@\\w])@${kind}/${key}(?![a-z0-9-])`, 'g');
  return unmarkVariables(renamed).replaceAll(symbol, () => `@${kind}/${newKey}`);
}
