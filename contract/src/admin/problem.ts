import type { Static } from 'typebox';
import { problemOf } from '../problem.ts';
import { refusals } from '../refusals.ts';
import { operatorRefusals } from './refusals.ts';

/** The shape of a failure, including the codes only operators get. */
export const AdminProblem = problemOf({ ...refusals, ...operatorRefusals });
export type AdminProblem = Static<typeof AdminProblem>;
