import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'data-sources',
  paths: ['/api/data-sources'],
  sections: [
    section(
      'Data sources',
      'Connections to data: uploaded files, Postgres and MySQL databases, S3 buckets and HTTP services. Datasets, queries and pipelines read from them.',
      routes,
      examples,
    ),
  ],
  resources,
});
