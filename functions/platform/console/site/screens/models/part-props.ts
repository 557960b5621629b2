import type { Model } from '../../data/models.ts';

/** What each part of the screen of a model gets. */
export interface PartProps {
  model: Model;
  canEdit: boolean;
  query: Readonly<Record<string, string>>;
}
