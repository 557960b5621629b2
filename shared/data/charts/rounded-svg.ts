/** A picture without the digits that cannot be seen, which differ between processors. */
export const roundedSvg = (svg: string): string =>
  svg.replace(/<[a-z]+ [^<>]*>/g, (tag) =>
    tag.replace(PLACES, (_, name: string, value: string) => ` ${name}="${value.replace(LONG, rounded)}"`),
  );

const PLACES = / (transform|d|x|x1|x2|y|y1|y2|r|cx|cy|width|height)="([^"]*)"/g;
const LONG = /-?\d+\.\d{3,}(e-?\d+)?/g;

const rounded = (digits: string): string => String(Math.round(Number(digits) * 100) / 100);
