import * as Type from 'typebox';

const NAME = '[A-Za-z_][A-Za-z0-9_]{0,99}';

/** What a file has in place of a secret, such as `${SHOP_PASSWORD}`: its value comes with a deployment. */
export const Variable = Type.String({
  maxLength: 103,
  pattern: `^\\$\\{${NAME}\\}$`,
  description: 'A variable, such as SHOP_PASSWORD in braces after a dollar sign. A file never has the secret itself.',
});

export const VariableName = Type.String({ maxLength: 100, pattern: `^${NAME}$` });

export const nameIn = (variable: string): string => variable.slice(2, -1);

/** The variable for a secret of an object to which no file has given one. */
export function variableOf(key: string, secret: string): string {
  const words = `${key}-${secret.replaceAll(/[A-Z]/g, (letter) => `-${letter}`)}`.toUpperCase().replaceAll('-', '_');
  return `\${${/^\d/.test(words) ? `_${words}` : words}}`;
}
