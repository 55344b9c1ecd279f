import { nextTick, reactive, watch } from 'vue';
import { type Failure, failureOf } from '../api/failure.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { type BodySchema, type Issue, issueOf, issuesOf } from './validation.ts';

/** The error at a field: a local issue, or the code or message of the service's refusal. */
export type FieldError =
  | { readonly issue: Issue }
  | { readonly refusal: string }
  | { readonly message: string };

interface FormOptions<Values extends Record<string, unknown>> {
  readonly schema: BodySchema;
  readonly initial: Values;
  readonly send: (values: Values) => Promise<void>;
  /** Maps refusals with a text of the page's own to their field; all others show the service's message. */
  readonly refusalFields?: Readonly<Partial<Record<string, keyof Values & string>>>;
}

export function useForm<Values extends Record<string, unknown>>(options: FormOptions<Values>) {
  const { schema, initial, send, refusalFields = {} } = options;
  const values = reactive({ ...initial }) as Values;
  const errors = reactive<Partial<Record<string, FieldError>>>({});

  const requires = (field: string) => schema.required?.includes(field) ?? false;

  function check(field: keyof Values & string) {
    const rule = schema.properties[field];
    const issue = rule ? issueOf(rule, values[field], requires(field)) : null;
    if (issue) errors[field] = { issue };
    else delete errors[field];
    return issue === null;
  }

  // Clear an error as soon as it is corrected: clearing it on blur would shift the layout under a click.
  for (const field of Object.keys(initial))
    watch(
      () => values[field],
      () => {
        if (errors[field]) check(field);
      },
      { flush: 'sync' },
    );

  /** On blur, an empty field is not yet an error. */
  function checkOnBlur(field: keyof Values & string) {
    if (values[field] !== '') check(field);
  }

  /** Assigns a refusal to the fields it concerns. Returns whether there was one. */
  function assignToFields(reason: Failure): boolean {
    if (reason.kind !== 'refused') return false;
    const { code, errors: refused = [] } = reason.problem;
    // Errors of fields that the form does not show would be invisible.
    const shown = refused.filter(({ field }) => field in values);
    for (const { field, message } of shown) errors[field] = { message };
    const own = refusalFields[code];
    if (own) errors[own] = { refusal: code };
    return own !== undefined || shown.length > 0;
  }

  const {
    busy,
    error,
    submit: sendOnce,
  } = useSubmit(async () => {
    try {
      await send(values);
    } catch (thrown) {
      if (!assignToFields(failureOf(thrown))) throw thrown;
      void focusFirstError();
    }
  }, failureOf);

  /** Pass `complete` as false if something besides the fields is missing: all fields are checked, but nothing is sent. */
  async function submitIf(complete: boolean) {
    if (busy.value) return;
    error.value = null;
    for (const field of Object.keys(errors)) delete errors[field];
    for (const [field, issue] of Object.entries(issuesOf(schema, values))) errors[field] = { issue };
    await (complete && Object.keys(errors).length === 0 ? sendOnce() : focusFirstError());
  }

  return { values, errors, busy, error, check, checkOnBlur, submit: () => submitIf(true), submitIf };
}

/** Focuses the first invalid field, so that it is visible and a screen reader announces the error. */
async function focusFirstError() {
  await nextTick();
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}
