import { useLocation } from 'preact-iso/router';
import { to } from '../../ui/address.ts';
import { leave } from '../../ui/unsaved.ts';
import type { PartProps } from './part-props.ts';

/** The part that a form is open for, kept in the address: its id, or `new`. */
export function useChosen({ model, query }: Pick<PartProps, 'model' | 'query'>, param = 'part') {
  const { route } = useLocation();
  const show = (id: string | undefined, others: Record<string, string> = {}) => {
    const { [param]: _former, ...rest } = query;
    route(to(`/models/${model.id}`, { ...rest, ...others, [param]: id }), true);
  };
  const choose: typeof show = (id, others) => leave(() => show(id, others));
  return { chosen: query[param], choose, close: () => show(undefined) };
}
