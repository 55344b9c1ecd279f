/** A text, or a function of its parameters. Functions instead of a template language: nothing to compile. */
export type Message = string | ((params: { named(key: string): unknown }) => string);

/** The same keys, whatever the texts. */
export type Shape<T> = { readonly [K in keyof T]: T[K] extends Message ? Message : Shape<T[K]> };
