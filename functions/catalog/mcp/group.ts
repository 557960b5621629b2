import { defineGroup, section } from '../../group.ts';
import { examples } from './examples.ts';
import { resources } from './resources.ts';
import * as routes from './routes.ts';

export const group = defineGroup({
  name: 'mcp',
  paths: ['/api/mcp'],
  sections: [
    section('Agents', 'Tools for agents, through the Model Context Protocol (MCP).', { ...routes }, { ...examples }),
  ],
  resources,
});
