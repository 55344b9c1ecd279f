import TypeBox from 'typebox';
import { expect, test } from 'vitest';
import { Type } from './type.ts';

/** A schema that uses every builder. */
const build = (T: typeof Type) =>
  T.Object(
    {
      text: T.String({ minLength: 1, description: 'some text' }),
      count: T.Optional(T.Integer({ minimum: 0 })),
      rate: T.Optional(T.Number()),
      flag: T.Boolean({ default: true }),
      nothing: T.Null(),
      anything: T.Optional(T.Unknown({ description: 'whatever' })),
      kind: T.Union([T.Literal('a'), T.Literal(1), T.Literal(true)], { description: 'one of' }),
      sure: T.Optional(T.Literal(true, { description: 'always' })),
      state: T.Enum(['open', 'closed'], { default: 'open' }),
      list: T.Array(T.Object({ name: T.Optional(T.String()) }), { maxItems: 3 }),
      table: T.Record(T.String(), T.Integer(), { default: {} }),
    },
    { additionalProperties: false },
  );

test('when a schema is built, then it equals the one TypeBox builds', () => {
  expect(JSON.parse(JSON.stringify(build(Type)))).toEqual(JSON.parse(JSON.stringify(build(TypeBox))));
});
