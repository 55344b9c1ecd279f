import { strict } from './fields.ts';
import { OpenApi } from './open-api.ts';
import { route } from './route.ts';
import { Type } from './type.ts';

const live = route({
  method: 'GET',
  path: '/api/health/live',
  auth: 'none',
  tag: 'operation',
  summary: 'Check whether the process runs',
  answers: {
    200: { description: 'Alive', schema: strict({ status: Type.Literal('live'), version: Type.String() }) },
  },
  refusals: [],
});

const Readiness = strict({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
  checks: Type.Record(Type.String(), Type.String()),
});

const ready = route({
  method: 'GET',
  path: '/api/health/ready',
  auth: 'none',
  tag: 'operation',
  summary: 'Check whether the service is ready; queries the database',
  answers: {
    200: { description: 'Ready', schema: Readiness },
    503: { description: 'Not ready', schema: Readiness },
  },
  refusals: [],
});

const metrics = route({
  method: 'GET',
  path: '/api/metrics',
  auth: 'none',
  tag: 'operation',
  summary: 'Prometheus metrics; loopback and configured addresses only',
  answers: { 200: { description: 'Metrics', mediaType: 'text/plain' } },
  refusals: ['caller_not_allowed'],
});

const openapi = route({
  method: 'GET',
  path: '/api/openapi.json',
  auth: 'none',
  tag: 'operation',
  summary: 'This document',
  answers: {
    200: { description: 'OpenAPI 3.1', schema: OpenApi },
    304: { description: 'Unchanged since the ETag that the caller sent' },
  },
  refusals: [],
});

export const operationRoutes = { live, ready, metrics, openapi };
