import { api } from '../../../data/client.ts';
import { problemOf } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import type { PartProps } from '../part-props.ts';
import { AuditRetention } from './audit-retention.tsx';
import { DeleteCompany } from './delete.tsx';
import { Licence } from './licence.tsx';
import { CompanyName } from './name.tsx';
import { People } from './people.tsx';
import { Workspaces } from './workspaces.tsx';

/** What admins of the company decide for all its workspaces. */
export default function Company({ query }: PartProps) {
  const { data: company, error, refresh } = useQuery(['company'], () => api.company.get());
  if (!company) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  return (
    <>
      <CompanyName key={company.revision} company={company} />
      <Workspaces />
      <People query={query} />
      <Licence />
      <AuditRetention />
      <DeleteCompany company={company} />
    </>
  );
}
