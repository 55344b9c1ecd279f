/** A text, or a function of its parameters. Functions instead of a template language, so that nothing has to be compiled. */
export type Message = string | ((params: { named(key: string): unknown }) => string);

/** Same keys, any texts. */
export type Shape<T> = { readonly [K in keyof T]: T[K] extends Message ? Message : Shape<T[K]> };
