import { addressOf } from './registry.ts';

interface ObjectLinkProps {
  type: string;
  id: string;
  name: string;
}

/** A link to the screen of an object; only its name while no screen shows objects of its type. */
export function ObjectLink({ type, id, name }: ObjectLinkProps) {
  const address = addressOf(type, id);
  return address === undefined ? <span>{name}</span> : <a href={address}>{name}</a>;
}
