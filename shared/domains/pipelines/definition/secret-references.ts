import type { Dag, Step } from './dag.ts';
import { referencesIn, secretNameOf, textsOf } from './references.ts';

export interface SecretReference {
  name: string;
  pointer: string;
}

/** The secrets that a definition names, and where. */
export const secretsOf = (dag: Dag | undefined): SecretReference[] =>
  (dag?.steps ?? []).flatMap((step, index) => secretsAt(step, `/dag/steps/${index}`));

/** The names of the secrets that a step needs, each once. */
export const secretNamesOf = (step: Step): string[] => [...new Set(secretsAt(step, '').map(({ name }) => name))];

function secretsAt(step: Step, place: string): SecretReference[] {
  return textsOf(step, place)
    .filter(({ takesSecrets }) => takesSecrets)
    .flatMap(({ pointer, text }) =>
      referencesIn(text)
        .flatMap((reference) => secretNameOf(reference) ?? [])
        .map((name) => ({ name, pointer })),
    );
}

export const unknownSecret = ({ name, pointer }: SecretReference) => ({
  pointer,
  code: 'SECRET_UNKNOWN',
  message: `The workspace has no secret "${name}".`,
});
