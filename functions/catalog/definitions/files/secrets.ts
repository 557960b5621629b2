import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import type { Members } from '../kinds/kind.ts';
import { nameIn } from '../kinds/variables.ts';

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
