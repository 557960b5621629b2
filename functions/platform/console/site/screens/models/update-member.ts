import { api, type Types } from '../../data/client.ts';
import type { Model } from '../../data/models.ts';

interface Change {
  /** The revision that the form began with. */
  ifMatch: number | undefined;
  /** The part of the model that the form is about. */
  partOf(model: Model): unknown;
  /** That part when the form was opened. */
  was: unknown;
  bodyOf(model: Model): Types.UpdateModel;
}

/**
 * Changes a part that the record of the model contains. What others have changed of the rest, such as by publishing it,
 * is no conflict; what they have changed of the part is refused by its revision.
 */
export async function updateMember(id: string, { ifMatch, partOf, was, bodyOf }: Change): Promise<Types.Model> {
  const now = await api.models.get(id);
  const isSame = JSON.stringify(partOf(now) ?? null) === JSON.stringify(was ?? null);
  return api.models.update(id, bodyOf(now), { ifMatch: isSame || ifMatch === undefined ? now.revision : ifMatch });
}
