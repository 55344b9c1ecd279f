import { pageFacts } from '../api/page-facts.ts';
import type { BodySchema } from './validation.ts';

/** Length limits of a new password; the service's defaults if the page came from elsewhere. */
export const passwordRule = pageFacts?.password ?? { min: 8, max: 72 };

/** Adds the limits to a form's schema, so that the page checks them with the other fields. */
export function newPasswordSchema(body: BodySchema): BodySchema {
  const { min, max } = passwordRule;
  const password = { ...body.properties.password, minLength: min, maxLength: max };
  return { ...body, properties: { ...body.properties, password } };
}
