import type { Principal } from '../../../platform/auth/principal.ts';
import type { Section } from './records.ts';
import { isHidden, type RightsClassDeps } from './rights-class.ts';

/** The sections of a text that the reader sees, in order. */
export async function visibleSections(
  deps: RightsClassDeps,
  principal: Principal,
  sections: readonly Section[],
): Promise<Section[]> {
  const hidden = await Promise.all(sections.map((section) => isHidden(deps, principal, section)));
  return sections.filter((_, index) => !hidden[index]);
}
