import { strict } from './fields.ts';
import { Type } from './type.ts';

const Fields = Type.Object({}, { additionalProperties: true });
/** An OpenAPI document, as loosely as needed here. */
export const OpenApi = strict({
  openapi: Type.String(),
  info: Fields,
  servers: Type.Array(Fields),
  tags: Type.Array(Fields),
  paths: Fields,
  components: Fields,
});
