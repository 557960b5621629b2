import type { PartProps } from '../part-props.ts';
import { KeyPage } from './key.tsx';
import { KeyList } from './list.tsx';
import { ServiceAccounts } from './service-accounts.tsx';

/** What programs sign in with. */
export default function Keys({ id, query: { sort = '-createdAt' } }: PartProps) {
  if (id !== undefined) return <KeyPage id={id} />;
  return (
    <>
      <KeyList sort={sort} />
      <ServiceAccounts />
    </>
  );
}
