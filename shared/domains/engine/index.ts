/** What the rest of the platform may use of this domain; everything else is its own business. */
export { type EngineFunction, engineFunction } from './client.ts';
export type {
  DescribeAnswer,
  DescribeRequest,
  EngineReply,
  EngineRequest,
  FileAnswer,
  FileRequest,
  InspectAnswer,
  InspectRequest,
  LineageAnswer,
  LineageRequest,
  PortableAnswer,
  PortableRequest,
  QueryAnswer,
  QueryRequest,
  RunCodeAnswer,
  RunCodeRequest,
  TableInput,
} from './protocol.ts';
