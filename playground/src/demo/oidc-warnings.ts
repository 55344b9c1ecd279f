/** The forum's library warns whoever would run it for real, which nobody does here: those lines stay unsaid. */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...said: unknown[]) => {
    if (!String(said[0]).includes('oidc-provider WARNING')) warn(...said);
  };
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
