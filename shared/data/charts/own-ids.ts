import { createHash } from 'node:crypto';

const TAGS = /<[A-Za-z]+ [^<>]*>/g;
const IDS = /(?<= id="|="url\(#)(?:clip|gradient_)\d+(?="|\)")/g;

/**
 * The picture with ids that no other picture has. Vega counts them for each process: two charts of a page that
 * different processes drew would name the same ids, and one would be cut or coloured as the other. The ids depend on
 * the picture alone, so it is the same each time that it is drawn.
 */
export function withOwnIds(svg: string): string {
  const numbers = new Map<string, number>();
  const renamed = (text: string, nameOf: (number: number) => string) =>
    text.replace(TAGS, (tag) => tag.replace(IDS, (id) => nameOf(numberOf(numbers, id))));
  const picture = createHash('sha256')
    .update(renamed(svg, (number) => `${number}`))
    .digest('hex')
    .slice(0, 12);
  return numbers.size === 0 ? svg : renamed(svg, (number) => `chart-${picture}-${number}`);
}

function numberOf(numbers: Map<string, number>, id: string): number {
  if (!numbers.has(id)) numbers.set(id, numbers.size);
  return numbers.get(id)!;
}
