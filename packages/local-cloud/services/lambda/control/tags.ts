import type { RestRoute } from '../../../core/rest-json.ts';

type Tags = Record<string, string>;

/** A resource with an ARN and tags. */
export interface Tagged {
  tags: Tags;
  save(tags: Tags): void;
}

/** `find` returns the function or mapping of an ARN and throws `ResourceNotFoundException` if there is none. */
export function tagRoutes(find: (arn: string) => Tagged): RestRoute[] {
  const path = '/2017-03-31/tags/{Resource}';
  return [
    {
      operation: 'ListTags',
      method: 'GET',
      path,
      status: 200,
      members: ['Resource'],
      run: (input: { Resource: string }) => ({ Tags: find(input.Resource).tags }),
    },
    {
      operation: 'TagResource',
      method: 'POST',
      path,
      status: 204,
      members: ['Resource', 'Tags'],
      run: (input: { Resource: string; Tags: Tags }) => {
        const found = find(input.Resource);
        found.save({ ...found.tags, ...input.Tags });
      },
    },
    {
      operation: 'UntagResource',
      method: 'DELETE',
      path,
      status: 204,
      members: ['Resource', 'TagKeys'],
      run: (input: { Resource: string; TagKeys: string[] }) => {
        const found = find(input.Resource);
        found.save(Object.fromEntries(Object.entries(found.tags).filter(([key]) => !input.TagKeys.includes(key))));
      },
    },
  ];
}
