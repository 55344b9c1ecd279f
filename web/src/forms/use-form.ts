import { nextTick, reactive, watch } from 'vue';
import { type Failure, failureOf } from '../api/failure.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { type BodySchema, type Issue, issueOf, issuesOf } from './validation.ts';

/** What stands at a field: an issue of our own, or the code or message the service refused it with. */
export type FieldError =
  | { readonly issue: Issue }
  | { readonly refusal: string }
  | { readonly message: string };

interface FormOptions<Values extends Record<string, unknown>> {
  readonly schema: BodySchema;
  readonly initial: Values;
  readonly send: (values: Values) => Promise<void>;
  /** The field of a refusal that has a text of the page's own; every other one shows the message of the service. */
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

  // A mistake is gone as soon as it is mended: gone only on leaving the field, it would move what is being clicked on.
  for (const field of Object.keys(initial))
    watch(
      () => values[field],
      () => {
        if (errors[field]) check(field);
      },
      { flush: 'sync' },
    );

  /** On leaving a field: an empty one is not yet a mistake. */
  function checkOnBlur(field: keyof Values & string) {
    if (values[field] !== '') check(field);
  }

  /** Puts a refusal at the fields it is about; says whether it found one. */
  function assignToFields(reason: Failure): boolean {
    if (reason.kind !== 'refused') return false;
    const { code, errors: refused = [] } = reason.problem;
    // What stands at a field the form does not show, nobody would see.
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

  /** `complete` is false where something beside the fields is missing: they are all checked, and nothing is sent. */
  async function submitIf(complete: boolean) {
    if (busy.value) return;
    error.value = null;
    for (const field of Object.keys(errors)) delete errors[field];
    for (const [field, issue] of Object.entries(issuesOf(schema, values))) errors[field] = { issue };
    await (complete && Object.keys(errors).length === 0 ? sendOnce() : focusFirstError());
  }

  return { values, errors, busy, error, check, checkOnBlur, submit: () => submitIf(true), submitIf };
}

/** The field that is wrong comes into view, and a screen reader reads why. */
async function focusFirstError() {
  await nextTick();
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}
