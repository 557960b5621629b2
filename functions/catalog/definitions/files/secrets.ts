import * as Type from 'typebox';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import type { Members } from '../kinds/kind.ts';

const NAME = '[A-Za-z_][A-Za-z0-9_]{0,99}';

/** What a file has in place of a secret, such as `${SHOP_PASSWORD}`: its value comes with a deployment. */
export const Variable = Type.String({
  maxLength: 103,
  pattern: `^\\$\\{${NAME}\\}$`,
  description: 'A variable, such as SHOP_PASSWORD in braces after a dollar sign. A file never has the secret itself.',
});

export const VariableName = Type.String({ maxLength: 100, pattern: `^${NAME}$` });

const nameIn = (variable: string): string => variable.slice(2, -1);

/** The variable for a secret of an object to which no file has given one. */
export function variableOf(key: string, secret: string): string {
  const words = `${key}-${secret.replaceAll(/[A-Z]/g, (letter) => `-${letter}`)}`.toUpperCase().replaceAll('-', '_');
  return `\${${/^\d/.test(words) ? `_${words}` : words}}`;
}

/** The secrets whose values were sent, and an issue for each other one. */
export function secretsOf(variables: Members, values: Readonly<Record<string, string>>, at = '/secrets') {
  const secrets: Members = {};
  const missing: Issue[] = [];
  for (const [member, variable] of Object.entries(variables)) {
    const pointer = `${at}/${escapePointer(member)}`;
    if (typeof variable === 'object') {
      const inner = secretsOf(variable as Members, values, pointer);
      if (Object.keys(inner.secrets).length > 0) secrets[member] = inner.secrets;
      missing.push(...inner.missing);
      continue;
    }
    const name = nameIn(variable as string);
    if (Object.hasOwn(values, name)) secrets[member] = values[name];
    else missing.push({ pointer, code: 'SECRET_MISSING', message: `needs the value of ${name} in \`secrets\`` });
  }
  return { secrets, missing };
}
