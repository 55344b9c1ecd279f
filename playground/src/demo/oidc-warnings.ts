/** Suppresses the warnings of oidc-provider about production use: this is a simulator. */
export async function withoutOidcWarnings<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...args: unknown[]) => {
    if (!String(args[0]).includes('oidc-provider WARNING')) warn(...args);
  };
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
