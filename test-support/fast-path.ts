/** Settings of a service under test: the `router` project of vitest.config.ts runs without the fast path. */
export const fastPathSettings = process.env.TEST_FAST_PATH === 'off' ? { http: { fast_path: false } } : {};
